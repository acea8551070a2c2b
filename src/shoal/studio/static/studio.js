// What pages do besides asking the studio for parts of themselves: keys, drops, and closing messages.
"use strict";

const body = document.body;

// Undo and redo by the keys that everybody knows, unless somebody is writing.
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
  if (event.target.closest("input:not([type=range]):not([type=checkbox]):not([type=radio]), textarea")) return;
  const button = document.querySelector(`[data-key=${event.shiftKey ? "redo" : "undo"}]`);
  if (button && !button.disabled) { event.preventDefault(); button.click(); }
});

document.addEventListener("click", (event) => {
  const close = event.target.closest("[data-close]");
  if (close) document.querySelector(close.dataset.close).replaceChildren();
  const copy = event.target.closest("[data-copy]");
  if (copy) copyText(copy);
});

async function copyText(button) {
  const text = document.querySelector(button.dataset.copy).textContent;
  await navigator.clipboard.writeText(text);
  const before = button.textContent;
  button.textContent = button.dataset.copied;
  setTimeout(() => { button.textContent = before; }, 2000);
}

// What was said of the last try does not stay while the next one runs.
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.requestConfig.verb !== "get") message("");
});
document.addEventListener("htmx:sendError", () => message(body.dataset.lost));

function message(text) {
  const place = document.getElementById("message");
  place.replaceChildren();
  if (text) {
    const made = document.createElement("div");
    made.className = "problem";
    made.textContent = text;
    place.append(made);
  }
}

// Send a file as it is, without reading it here.
function send(form, file) {
  const status = form.querySelector("[data-status]");
  const request = new XMLHttpRequest();
  request.open("POST", form.dataset.upload);
  request.setRequestHeader("X-CSRF-Token", body.dataset.forgery);
  request.setRequestHeader("HX-Request", "true");
  request.setRequestHeader("X-File-Name", encodeURIComponent(file.name));
  request.upload.addEventListener("progress", (event) => {
    const share = `${Math.round(100 * event.loaded / event.total)} %`;
    status.textContent = form.dataset.sending.replace("{name}", file.name).replace("{share}", share);
  });
  request.addEventListener("load", () => {
    const place = request.getResponseHeader("HX-Redirect");
    status.textContent = "";
    if (place) { answers.leave(() => location.assign(place)); return; }
    // Ours are pieces of a page; the gate's are plain text.
    if ((request.getResponseHeader("Content-Type") || "").startsWith("text/html"))
      document.getElementById("message").innerHTML = request.responseText;
    else message(request.responseText);
  });
  request.addEventListener("error", () => message(body.dataset.lost));
  request.send(file);
}

for (const form of document.querySelectorAll("[data-upload]")) {
  const input = form.querySelector("input[type=file]");
  input.addEventListener("change", () => { if (input.files.length) send(form, input.files[0]); });
  form.addEventListener("dragover", (event) => { event.preventDefault(); form.classList.add("over"); });
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    if (event.dataTransfer.files.length) send(form, event.dataTransfer.files[0]);
  });
}
