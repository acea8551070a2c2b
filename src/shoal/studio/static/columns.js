// What was opened stays open when the list comes anew, and what was refused goes back.
"use strict";

let opened = [];

document.addEventListener("htmx:beforeSwap", () => {
  opened = [...document.querySelectorAll("#columns details[open]")].map((each) => each.id);
});
document.addEventListener("htmx:afterSwap", () => {
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
});
document.addEventListener("htmx:responseError", (event) => {
  event.detail.elt.closest("#columns form")?.reset();
});
