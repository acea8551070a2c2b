// The tree editor: choosing, opening and dragging nodes, and the same by keyboard. What is asked of
// the tree is done by the studio, which sends the edited tree back.
"use strict";

(() => {
  const editor = () => document.getElementById("editor");
  const tree = () => document.getElementById("tree");
  const items = () => [...tree().querySelectorAll("[role=treeitem]")];
  const level = (item) => Number(item.getAttribute("aria-level"));
  const node = (item) => Number(item.dataset.node);
  const isNode = (item) => item && item.dataset.node !== undefined;
  const isGroup = (item) => isNode(item) && item.dataset.group !== undefined;
  const active = () => tree() && tree().querySelector("[tabindex='0']");
  const chosen = () => [...tree().querySelectorAll("[aria-selected=true]")];
  // What an edit is about: what is chosen, or else where the focus is.
  const label = (item) => item.querySelector(".label")?.textContent;
  const isOpen = (item) => item.getAttribute("aria-expanded") === "true";
  const meant = () => (chosen().length ? chosen() : [active()]).filter(isNode);

  let anchor = null;   // where a range of chosen nodes starts
  let cut = [];        // labels of nodes that were cut
  let dragged = [];    // numbers of nodes that are dragged
  let sent = { chosen: [], open: [] };  // labels of what was chosen and open when the last edit was made
  let asking = null;   // what the open dialog is about
  let hover = 0;

  // -- focus and choice

  function focus(item) {
    if (!item) return;
    for (const each of tree().querySelectorAll("[tabindex='0']")) each.tabIndex = -1;
    item.tabIndex = 0;
    item.focus();
    tools();
  }

  function choose(item, yes) {
    if (isNode(item) && node(item) !== 0) item.setAttribute("aria-selected", yes ? "true" : "false");
  }

  function chooseOnly(listed) {
    for (const item of chosen()) choose(item, false);
    for (const item of listed) choose(item, true);
    tools();
  }

  function chooseTo(item) {
    const listed = items();
    const ends = [listed.indexOf(anchor), listed.indexOf(item)].sort((a, b) => a - b);
    if (ends[0] < 0) { chooseOnly([item]); anchor = item; return; }
    chooseOnly(listed.slice(ends[0], ends[1] + 1));
  }

  function toggle(item) {
    choose(item, item.getAttribute("aria-selected") !== "true");
    anchor = item;
    tools();
  }

  // -- the toolbar says what can be done

  function tools() {
    if (!tree()) return;
    const about = meant();
    const below = about.length > 0 && about.every((item) => node(item) !== 0);
    const groups = about.length > 0 && about.every(isGroup);
    const can = { group: below, move: below, rename: groups && about.length === 1,
      dissolve: below && groups, merge: below && groups && about.length > 1, all: true, add: true };
    for (const button of editor().querySelectorAll("[data-action]")) button.disabled = !can[button.dataset.action];
    const count = chosen().length;
    document.getElementById("count").textContent = count ? editor().dataset.selected.replace("{count}", count) : "";
  }

  function say(text) { document.getElementById("said").textContent = text; }

  // -- opening and closing

  function open(item, then) {
    if (!isGroup(item) || item.getAttribute("aria-expanded") !== "false") return;
    item.setAttribute("aria-expanded", "true");
    ask(`${editor().dataset.base}/below/${node(item)}?version=${editor().dataset.version}`, item, "afterend", then);
  }

  function close(item) {
    item.setAttribute("aria-expanded", "false");
    while (item.nextElementSibling && level(item.nextElementSibling) > level(item)) item.nextElementSibling.remove();
    tools();
  }

  function more(item) {
    if (Number(item.dataset.start) < 0) return;
    const before = item.previousElementSibling;
    ask(`${editor().dataset.base}/below/${item.dataset.more}?version=${editor().dataset.version}&start=${item.dataset.start}`,
      item, "outerHTML", () => focus(before.nextElementSibling));
  }

  function ask(place, target, swap, then) {
    htmx.ajax("GET", place, { source: editor(), target, swap }).then(() => { tools(); if (then) then(); });
  }

  // Which groups are open, and how many members each shows.
  function opened() {
    const shown = new Map();
    for (const item of items()) {
      if (!isNode(item)) { if (Number(item.dataset.start) >= 0) shown.set(Number(item.dataset.more), Number(item.dataset.start)); }
      else if (item.getAttribute("aria-expanded") === "true") {
        const all = item.nextElementSibling && item.nextElementSibling.getAttribute("aria-setsize");
        shown.set(node(item), Number(all) || 0);
      }
    }
    return [...shown].map((pair) => pair.join(":")).join(",");
  }

  // -- edits

  // Numbers are about the tree that was shown when nodes were chosen; the studio finds them in the tree of now.
  function edit(action, numbers, more = {}, version = editor().dataset.version) {
    const filter = document.getElementById("filter");
    const open = version === editor().dataset.version ? opened() : "";
    const values = { action, nodes: numbers.join(","), version, open, filter: filter ? filter.value : "", ...more };
    sent = { chosen: chosen().map(label), open: items().filter(isOpen).map(label) };
    htmx.ajax("POST", `${editor().dataset.base}/edit`, { source: editor(), target: "#editor", swap: "outerHTML", values });
  }

  function begin(action, about = meant()) {
    const numbers = about.map(node);
    if (action === "dissolve" || action === "add") edit(action, numbers);
    else if (action === "all") chooseOnly(tree().querySelectorAll(".found"));
    else if (action === "move") choosePlace(numbers);
    else askName(action, numbers, action === "group" ? "" : label(about[0]));
  }

  function askName(action, numbers, name) {
    const dialog = document.getElementById("naming");
    const title = document.getElementById("naming-title");
    title.textContent = title.dataset[action];
    const input = dialog.querySelector("input");
    input.value = name;
    asking = { action, numbers, version: editor().dataset.version };
    dialog.returnValue = "";
    dialog.showModal();
    input.focus();
    input.select();
  }

  function choosePlace(numbers) {
    const dialog = document.getElementById("moving");
    const input = dialog.querySelector("input");
    input.value = "";
    asking = { action: "move", numbers, version: editor().dataset.version };
    dialog.returnValue = "";
    listPlaces();
    dialog.showModal();
    input.focus();
  }

  function listPlaces() {
    const input = document.querySelector("#moving input");
    const values = { version: asking.version, nodes: asking.numbers.join(","), "place-filter": input.value };
    htmx.ajax("POST", `${editor().dataset.base}/places`, { source: input, target: "#places", swap: "innerHTML", values });
  }

  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("close", () => {
      const about = asking;
      asking = null;
      if (dialog.returnValue !== "ok" || !about) { focus(active()); return; }
      const form = new FormData(dialog.querySelector("form"));
      if (about.action === "move") edit("move", about.numbers, { to: form.get("to") }, about.version);
      else edit(about.action, about.numbers, { label: form.get("label") }, about.version);
    });
  }

  let waiting = 0;
  document.querySelector("#moving input")?.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { if (asking) listPlaces(); }, 200);
  });
  // From what one writes straight to the list, and back.
  document.querySelector("#moving input")?.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") { event.preventDefault(); document.getElementById("places").focus(); }
  });
  document.getElementById("places")?.addEventListener("dblclick", () => document.getElementById("moving").close("ok"));
  document.getElementById("places")?.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); document.getElementById("moving").close("ok"); }
  });

  function paste(item) {
    const to = isGroup(item) ? node(item) : Number(item.dataset.parent);
    const numbers = items().filter((each) => isNode(each) && cut.includes(label(each))).map(node);
    cut = [];
    if (numbers.length && to >= 0) edit("move", numbers, { to });
  }

  function mark(listed) {
    cut = listed.map(label);
    for (const item of items()) item.classList.toggle("cut", listed.includes(item));
    say(cut.length ? editor().dataset.cut.replace("{count}", cut.length) : "");
    document.getElementById("count").textContent = cut.length ? editor().dataset.cut.replace("{count}", cut.length) : "";
  }

  // -- keys

  function keyed(event) {
    const item = event.target.closest("[role=treeitem]");
    if (!item || event.altKey) return;
    const listed = items();
    const at = listed.indexOf(item);
    const held = event.ctrlKey || event.metaKey;
    const letter = event.key.toLowerCase();
    let done = true;
    if (held && letter === "x") mark(meant().filter((each) => node(each) !== 0));
    else if (held && letter === "v") paste(item);
    else if (held && letter === "a") chooseOnly(listed.filter((each) => each.dataset.parent === item.dataset.parent));
    else if (held) done = false;
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const next = listed[at + (event.key === "ArrowDown" ? 1 : -1)];
      if (event.shiftKey && next) { anchor = anchor || item; chooseTo(next); }
      focus(next);
    } else if (event.key === "Home") focus(listed[0]);
    else if (event.key === "End") focus(listed.at(-1));
    else if (event.key === "ArrowRight") {
      if (item.getAttribute("aria-expanded") === "false") open(item);
      else if (isGroup(item)) focus(listed[at + 1]);
    } else if (event.key === "ArrowLeft") {
      if (item.getAttribute("aria-expanded") === "true" && node(item) !== 0) close(item);
      else focus(listed.slice(0, at).reverse().find((each) => level(each) < level(item)));
    } else if (event.key === " ") { if (isNode(item)) toggle(item); }
    else if (event.key === "Enter") { if (isNode(item)) twist(item); else more(item); }
    else if (event.key === "F2") act("rename");
    else if (event.key === "Delete") act("dissolve");
    else if (event.key === "Escape") { mark([]); chooseOnly([]); }
    else done = false;
    if (done) event.preventDefault();
  }

  function act(action) {
    const button = editor().querySelector(`[data-action=${action}]`);
    if (button && !button.disabled) begin(action);
  }

  function twist(item) {
    if (item.getAttribute("aria-expanded") === "true") close(item);
    else open(item);
  }

  document.addEventListener("keydown", (event) => { if (tree() && tree().contains(event.target)) keyed(event); });

  // -- mouse

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-action]");
    if (button && editor().contains(button)) { begin(button.dataset.action); return; }
    const item = event.target.closest("#tree [role=treeitem]");
    if (!item) return;
    if (!isNode(item)) { more(item); return; }
    if (event.target.closest(".twist") && isGroup(item)) twist(item);
    else if (event.shiftKey) chooseTo(item);
    else if (event.ctrlKey || event.metaKey || event.target.closest(".check")) toggle(item);
    else { chooseOnly([item]); anchor = item; }
    focus(item);
  });
  document.addEventListener("dblclick", (event) => {
    const item = event.target.closest("#tree [data-group]");
    if (item && event.target.closest(".label")) twist(item);
  });
  document.addEventListener("focusin", (event) => {
    const item = event.target.closest("#tree [role=treeitem]");
    if (item && item.tabIndex !== 0) focus(item);
    else if (item) tools();
  });

  // -- dragging

  document.addEventListener("dragstart", (event) => {
    const item = event.target.closest?.("#tree [role=treeitem]");
    if (!isNode(item)) return;
    const listed = chosen();
    dragged = (listed.includes(item) ? listed : [item]).map(node);
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", "shoal");  // never a value of the table
  });
  document.addEventListener("dragover", (event) => {
    const item = event.target.closest?.("#tree [role=treeitem]");
    if (!dragged.length || !isNode(item) || dragged.includes(node(item))) return;
    event.preventDefault();
    if (item.classList.contains("over")) return;
    unmark();
    item.classList.add("over");
    hover = setTimeout(() => open(item), 800);
  });
  document.addEventListener("drop", (event) => {
    const item = event.target.closest?.("#tree [role=treeitem]");
    if (!dragged.length || !isNode(item) || dragged.includes(node(item))) return;
    event.preventDefault();
    const numbers = dragged;
    if (isGroup(item)) edit("move", numbers, { to: node(item) });
    else askName("group", [node(item), ...numbers], "");  // a value on a value makes a group of both
    dragged = [];
    unmark();
  });
  document.addEventListener("dragend", () => { dragged = []; unmark(); });

  function unmark() {
    clearTimeout(hover);
    for (const each of document.querySelectorAll("#tree .over")) each.classList.remove("over");
  }

  // -- after the studio answered

  // What was chosen and opened since the edit was made stays so.
  let later = { chosen: [], open: [] };
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id !== "editor" || !tree()) return;
    const since = (listed, before) => listed.map(label).filter((each) => !before.includes(each));
    later = { chosen: since(chosen(), sent.chosen), open: since(items().filter(isOpen), sent.open) };
  });

  function putBack() {
    const named = (listed) => items().filter((item) => isNode(item) && listed.includes(label(item)));
    for (const item of named(later.chosen)) choose(item, true);
    for (const item of items()) item.classList.toggle("cut", isNode(item) && cut.includes(label(item)));
    for (const item of named(later.open)) open(item);
    later = { chosen: [], open: [] };
  }

  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target.id === "tree") { anchor = null; tools(); }
    if (event.detail.target.id !== "editor") return;
    anchor = null;
    if (!tree()) return;
    putBack();
    say(editor().dataset.said || "");
    // A change can be taken back from now on; the head of the page stays as it was.
    const undo = document.querySelector("[data-key=undo]"), redo = document.querySelector("[data-key=redo]");
    if (undo) undo.disabled = false;
    if (redo) redo.disabled = true;
    const item = active() || items()[0];
    if (!document.activeElement || document.activeElement === document.body) focus(item);
    item.scrollIntoView({ block: "nearest" });
    tools();
  });
  tools();
})();
