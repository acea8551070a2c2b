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

// The focus goes where an answer says.
document.addEventListener("htmx:afterSwap", (event) => {
  const shown = event.detail.elt;
  if (shown.id !== "promise") return;
  shown.dataset.known = "yes";
  document.getElementById(shown.dataset.focus)?.focus();
});
