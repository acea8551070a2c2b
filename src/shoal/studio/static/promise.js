// Sliders of the promise: each moves the number beside it, and is let go only when its key is.
"use strict";

let heldKey = false;
let waiting = null;

function told(target, name) {
  target.dispatchEvent(new Event(name, { bubbles: true }));
}

document.addEventListener("input", (event) => {
  const slider = event.target.closest("input[type=range][data-for]");
  if (slider) document.getElementById(slider.dataset.for).value = slider.value;
  else {
    const own = document.querySelector(`input[type=range][data-for="${event.target.id}"]`);
    if (own && event.target.value !== "" && !isNaN(event.target.value)) own.value = event.target.value;
  }
}, true);

// Browsers call each step of a held key a change; here the change is what remains at the end.
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input[type=range][data-for]") && /^(Arrow|Page|Home|End)/.test(event.key)) heldKey = true;
});
document.addEventListener("change", (event) => {
  if (heldKey && event.target.matches("input[type=range][data-for]")) {
    event.stopPropagation();
    waiting = event.target;
  }
}, true);
for (const name of ["keyup", "focusout"]) document.addEventListener(name, () => {
  heldKey = false;
  const slider = waiting;
  waiting = null;
  if (slider) told(slider, "change");
});

// A value that would do, by a click.
document.addEventListener("click", (event) => {
  const use = event.target.closest("[data-use]");
  if (!use) return;
  const field = document.getElementById(use.dataset.use);
  field.value = use.dataset.value;
  field.focus();
  told(field, "input");
  told(field, "change");
});

// What was open stays open, and who wrote or dragged goes on where they were.
let opened = [];
let focused = "";
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id !== "promise") return;
  opened = [...document.querySelectorAll("#promise details")].map((each) => [each.id, each.open]);
  focused = document.activeElement ? document.activeElement.id : "";
});
document.addEventListener("htmx:afterSwap", () => {
  const shown = document.getElementById("promise");
  if (!shown || shown.dataset.known) return;
  shown.dataset.known = "yes";
  for (const [id, open] of opened) {
    const found = document.getElementById(id);
    if (found) found.open = open;
  }
  const place = document.getElementById(shown.dataset.focus || focused);
  if (place) place.focus();
});
