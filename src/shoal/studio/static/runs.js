// Sliders say where they stand while they move; what was asked for gets the focus; the plan's undo wakes
// up when it has changed.
"use strict";

document.addEventListener("input", (event) => {
  const slider = event.target.closest("input[data-output]");
  if (!slider) return;
  const words = slider.dataset.words ? slider.dataset.words.split("|") : null;
  const said = words ? words[Number(slider.value)] : slider.value;
  const output = document.querySelector(slider.dataset.output);
  (output.querySelector("strong") || output).textContent = said;
  slider.setAttribute("aria-valuetext", said);
});

document.addEventListener("plan-changed", () => {
  const undo = document.querySelector("[data-key=undo]");
  const redo = document.querySelector("[data-key=redo]");
  if (undo) undo.disabled = false;
  if (redo) redo.disabled = true;
});

document.addEventListener("htmx:afterSettle", () => {
  const asked = document.querySelector("[data-focus]");
  if (asked) { asked.removeAttribute("data-focus"); asked.focus({ preventScroll: true }); }
});
