// What is sent to the studio, and what its answers may replace; every panel goes through here.
//
// - Changes are sent one at a time, in the order in which they were made. A change is every request but a
//   GET, unless its element has `data-asks`: then it only asks, and changes nothing.
// - A field that was edited and not sent yet keeps its value, its focus and its selection when an answer
//   replaces it. Whoever went on to another field stays there, wherever an answer would put the focus.
// - An answer that was overtaken is dropped: its place is gone, or shows a newer answer.
// - While a hand is on a control, the answer that would replace it waits.
// - The page is left when everything is sent.
"use strict";

const answers = (() => {
  const FIELDS = "input:not([type=hidden]):not([type=file]), select, textarea";
  const VALUELESS = ["radio", "checkbox"];
  const DATE = "input[type=date]";  // half a date has no value that could be put back: held until it is left

  let clock = 0;             // edits, requests and answers are numbered in the order in which they come
  const edited = new Map();  // key of a field: the number of its last edit that no answered change carried
  const followers = new Set();  // keys of fields that only followed the one beside them
  const typed = new Set();   // keys of fields that were written in, and not left since
  const unfired = new WeakSet();  // fields put in the place of such ones: no browser calls their change
  const shown = new Map();   // id of a place: the request whose answer it shows
  const waiting = [];        // changes that wait for the one before them
  let flying = null;         // the change that is on its way
  let sending = null;        // the change that waited and is being sent
  let leaving = null;        // what leaves the page
  let gone = false;          // whether the place of a change was gone when its turn came
  let restoring = false;
  let landing = null;        // where an answer is being shown: what happens there is no hand's doing
  let focused = 0;           // the number of the last time that a hand moved the focus

  // -- fields

  const poster = (each) => each.closest("[hx-post]")?.getAttribute("hx-post") || "";

  // The name of a field that stays when the field is replaced; radio buttons of one choice share it.
  function key(field) {
    if (field.type === "radio") return `${poster(field)} ${field.name}`;
    return field.id || `${poster(field)} ${field.name} ${field.type === "checkbox" ? field.value : ""}`;
  }

  const isField = (each) => each instanceof Element && each.matches(FIELDS);
  const valueOf = (field) => field.type === "checkbox" ? field.checked : field.value;
  const isSaid = (field) => field.type !== "radio" || field.checked;

  function set(field, value) {
    if (field.type === "radio") field.checked = field.value === value;
    else if (field.type === "checkbox") field.checked = value;
    else field.value = value;
  }

  // A slider and the number beside it are edited together.
  function partners(field) {
    const other = field.dataset.for ? document.getElementById(field.dataset.for)
      : field.id && document.querySelector(`[data-for="${CSS.escape(field.id)}"]`);
    return other ? [field, other] : [field];
  }

  function note(event) {
    if (restoring || landing?.contains(event.target) || !isField(event.target)) return;
    clock += 1;
    for (const field of partners(event.target)) {
      edited.set(key(field), clock);
      if (field === event.target) followers.delete(key(field));
      else followers.add(key(field));
    }
    if (event.type === "input" && !VALUELESS.includes(event.target.type)) typed.add(key(event.target));
    else {
      typed.delete(key(event.target));
      unfired.delete(event.target);
    }
  }
  // Each digit of a year makes a date, and browsers call each a change; here it is one when the field is left.
  document.addEventListener("change", (event) => {
    if (!event.isTrusted || event.target !== hand || !hand.matches(DATE)) return;
    event.stopImmediatePropagation();
    unfired.add(hand);
  }, true);
  document.addEventListener("input", note, true);
  document.addEventListener("change", note, true);
  document.addEventListener("focusin", () => { if (!landing) focused = ++clock; }, true);
  for (const name of ["focusout", "keydown"]) document.addEventListener(name, (event) => {
    if (landing?.contains(event.target)) return;  // browsers say of what they remove that it was changed and left
    const ends = name === "focusout" || (event.key === "Enter" && !event.target.matches("textarea"));
    if (ends && unfired.has(event.target) && event.target.isConnected) fire(event.target, "change");
  }, true);

  function fire(field, name) {
    field.dispatchEvent(new Event(name, { bubbles: true }));
  }

  // -- requests

  const isChange = (element, verb) => verb.toLowerCase() !== "get" && !element.hasAttribute("data-asks");

  // The name of what sends a request, which stays when it is replaced.
  function sender(element) {
    if (element.id) return element.id;
    const hidden = [...element.querySelectorAll("input[type=hidden]")].map((each) => `${each.name}=${each.value}`);
    return [element.tagName, poster(element), element.getAttribute("hx-vals"), ...hidden].join(" ");
  }

  function senderNamed(name) {
    return document.getElementById(name)
      || [...document.querySelectorAll("[hx-post]")].find((each) => !each.id && sender(each) === name);
  }

  // The fields whose values a request takes to the studio.
  function carried(element) {
    if (element.matches("form")) return [...element.elements].filter(isField);
    return isField(element) ? [element] : [];
  }

  function unsent(element) {
    const found = carried(element).filter((field) => edited.has(key(field)) && isSaid(field));
    return new Map(found.map((field) => [key(field), { value: valueOf(field), stamp: edited.get(key(field)) }]));
  }

  // Enter in a field changes it and submits its form: that is one change.
  function isSame(one, other) {
    if (!one || one.sender !== other.sender || one.path !== other.path || !other.isForm) return false;
    return JSON.stringify([...one.fields]) === JSON.stringify([...other.fields]);
  }

  document.addEventListener("htmx:confirm", (event) => {
    const { elt, verb, path, etc } = event.detail;
    if (!flying || !isChange(elt, verb)) return;
    event.preventDefault();
    const change = {
      sender: sender(elt), verb, path, etc, fields: unsent(elt), isForm: carried(elt).length > 0, asked: ++clock,
    };
    if (isSame(waiting.at(-1) || flying, change)) return;
    if (elt.getAttribute("hx-disabled-elt") === "this") {  // a second click is none
      elt.disabled = true;
      change.disabled = elt;
    }
    waiting.push(change);
  });

  document.addEventListener("htmx:beforeSend", (event) => {
    const { elt, xhr, target, requestConfig } = event.detail;
    const sent = ++clock;
    const request = {
      sent, asked: sending ? sending.asked : sent, change: isChange(elt, requestConfig.verb), element: elt, sender: sender(elt), target,
      path: requestConfig.path, isForm: carried(elt).length > 0, fields: sending ? sending.fields : unsent(elt),
    };
    if (request.change) flying = request;
    const land = xhr.onload;
    xhr.onload = (said) => whenFree(request, () => answered(request, xhr, () => land.call(xhr, said)));
    xhr.addEventListener("loadend", () => { if (!xhr.status) ended(request); });
  });

  function ended(request) {
    if (request !== flying) return;
    flying = null;
    next();
  }

  function next() {
    while (!flying && waiting.length) send(waiting.shift());
    if (flying) return;
    if (gone) { gone = false; message(document.body.dataset.gone); }
    if (leaving) { const leave = leaving; leaving = null; leave(); }
  }

  // Send what waited, as it was said then, from where its place is now.
  function send(change) {
    const element = senderNamed(change.sender);
    if (change.disabled) change.disabled.disabled = false;
    if (!element) { gone = true; return; }
    if (element.disabled) return;
    const fields = carried(element);
    const now = fields.map((field) => [field, field.type === "radio" ? field.checked : valueOf(field)]);
    for (const field of fields) if (change.fields.has(key(field))) set(field, change.fields.get(key(field)).value);
    sending = change;
    const { values, targetOverride, swapOverride } = change.etc;
    const target = targetOverride ? `#${targetOverride.id}` : undefined;
    htmx.ajax(change.verb, change.path, { source: element, values, target, swap: swapOverride }).catch(() => {});
    sending = null;
    for (const [field, value] of now) if (field.type === "radio") field.checked = value; else set(field, value);
  }

  // -- answers

  function answered(request, xhr, land) {
    if (request.change && ["HX-Redirect", "HX-Refresh"].some((name) => xhr.getResponseHeader(name))) {
      const field = document.activeElement;
      if (isField(field) && typed.has(key(field))) fire(field, "change");
      leaving = land;
      ended(request);
      return;
    }
    if (isOvertaken(request)) drop(request, land);
    else show(request, land, xhr.status >= 400);
    ended(request);
  }

  function isOvertaken(request) {
    if (!request.target.isConnected) return true;
    if (!request.target.id || request.change) return false;
    if (flying && flying.target.id === request.target.id) return true;
    const newer = shown.get(request.target.id);
    return Boolean(newer) && (newer.sent > request.sent || (newer.change && newer.landed > request.sent));
  }

  function drop(request, land) {
    if (!request.element.isConnected) return;
    const refuse = (event) => event.preventDefault();
    request.target.addEventListener("htmx:beforeSwap", refuse);
    land();
    request.target.removeEventListener("htmx:beforeSwap", refuse);
  }

  function show(request, land, refused) {
    if (request.change) {
      for (const [name, { stamp }] of request.fields) if (edited.get(name) === stamp) edited.delete(name);
      if (refused) putBack(request);
    }
    const before = remembered();
    request.landed = ++clock;  // what the new parts ask for at once comes later
    landing = request.target;
    land();
    if (!refused && request.target.id) shown.set(request.target.id, request);
    restore(before, request);
    landing = null;
  }

  // What was refused goes back to what holds, where a panel wants that.
  function putBack(request) {
    if (!request.element.closest("[data-put-back]")) return;
    for (const field of carried(request.element)) {
      if (edited.has(key(field))) continue;
      if (VALUELESS.includes(field.type)) field.checked = field.defaultChecked;
      else if (field.matches("select")) field.selectedIndex = [...field.options].findIndex((each) => each.defaultSelected);
      else field.value = field.defaultValue;
    }
  }

  function remembered() {
    const focus = document.activeElement;
    return {
      fields: [...document.querySelectorAll(FIELDS)].filter((field) => edited.has(key(field)) && isSaid(field))
        .map((field) => ({ field, key: key(field), value: valueOf(field), written: typed.has(key(field)) }))
        .sort((one, other) => edited.get(one.key) - edited.get(other.key)),
      details: [...document.querySelectorAll("details[id]")].map((each) => ({ each, open: each.open })),
      focus, name: isField(focus) ? key(focus) : "", from: focus?.selectionStart, to: focus?.selectionEnd,
    };
  }

  function restore(before, request) {
    for (const { each, open } of before.details) {
      const found = each.isConnected ? null : document.getElementById(each.id);
      if (found) found.open = open;
    }
    const replaced = before.fields.filter(({ field }) => !field.isConnected);
    for (const each of replaced) {
      const found = fieldNamed(each.key, each.value);
      if (!found) edited.delete(each.key);
      else if (isSaid(found) && valueOf(found) === each.value) {
        if (!waiting.some((change) => change.fields.has(each.key))) edited.delete(each.key);
      } else {
        set(found, each.value);
        if (each.written) unfired.add(found);
      }
    }
    refocus(before, request);
    restoring = true;
    for (const each of replaced) {  // what follows a field follows what it holds now
      const found = edited.has(each.key) && !followers.has(each.key) ? fieldNamed(each.key, each.value) : null;
      if (found) fire(found, "input");
    }
    restoring = false;
  }

  function fieldNamed(name, value) {
    return [...document.querySelectorAll(FIELDS)]
      .find((field) => key(field) === name && (field.type !== "radio" || field.value === value));
  }

  function refocus(before, request) {
    const { focus, name } = before;
    const now = document.activeElement;
    if (focus === document.body || focus === now) return;
    const since = Math.max(focused, edited.get(name) || 0) > request.asked;  // then nothing else gets the focus
    if (!since && (!name || focus.isConnected || (now !== document.body && now.id !== focus.id))) return;
    const found = focus.isConnected ? focus : name ? fieldNamed(name, focus.value) : document.getElementById(focus.id);
    if (!found) return;
    if (now !== found) found.focus({ preventScroll: true });
    if (name && before.from !== null && found.setSelectionRange) {
      try { found.setSelectionRange(before.from, before.to); } catch { /* numbers have no selection */ }
    }
  }

  // -- hands: what is pressed is not taken away before it is let go

  const held = [];
  let hand = null;
  let byPointer = false;
  let dragging = false;

  function whenFree(request, act) {
    if (hand?.isConnected && (request.change || request.target.contains(hand))) held.push([request, act]);
    else act();
  }

  function press(event, pointer) {
    hand = event.target;
    byPointer = pointer;
  }

  function release() {
    hand = null;
    dragging = false;
    // The click, or the change, comes after this event.
    setTimeout(() => { for (const [request, act] of held.splice(0)) whenFree(request, act); });
  }

  document.addEventListener("pointerdown", (event) => { if (event.button === 0) press(event, true); }, true);
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => { if (!dragging) release(); }, true);
  document.addEventListener("pointermove", (event) => {
    if (hand && byPointer && !dragging && !event.buttons) release();
  }, true);
  document.addEventListener("dragstart", (event) => { press(event, true); dragging = true; }, true);
  document.addEventListener("dragend", release, true);
  document.addEventListener("keydown", (event) => {
    if (event.target.matches(DATE)) { if (event.key === "Enter") release(); else press(event, false); }
    if (event.target.matches("input[type=range]") || (event.key === " " && event.target.matches("button, summary"))) press(event, false);
  }, true);
  document.addEventListener("keyup", () => { if (!byPointer && !hand?.matches(DATE)) release(); }, true);
  document.addEventListener("focusout", (event) => { if (event.target === hand && hand.matches(DATE)) release(); }, true);
  document.addEventListener("compositionstart", (event) => press(event, false), true);
  document.addEventListener("compositionend", release, true);
  window.addEventListener("blur", release);

  // -- leaving

  function leave(how) {
    leaving = how;
    if (!flying) next();
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || !flying || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (link.target || link.hasAttribute("download") || link.getAttribute("href").startsWith("#")) return;
    event.preventDefault();
    leave(() => location.assign(link.href));
  });

  return { leave };
})();
