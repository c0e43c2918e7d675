// A combobox over the items of one kind. Without this script the field takes a title,
// or “Title (#12)”, as typed.
"use strict";

const PAUSE = 150; // ms between a keystroke and the search
let open = null; // { input, list, timer }

function numberIn(field) {
  const match = field.value.match(/\(#(\d+)\)/);
  return match && match[1];
}

function lookupAddress(input) {
  const pattern = document.querySelector("meta[name=item-lookup]").content;
  const address = new URL(pattern.replace("KIND", input.dataset.itemKind), location.href);
  address.searchParams.set("q", input.value.replace(/\s*\(#\d+\)\s*$/, ""));
  const [role, name] = (input.dataset.itemNarrow || "").split(":");
  const number = name === "self" ? input.form.dataset.item : name && numberIn(input.form.elements[name]);
  if (number) address.searchParams.set(role, number);
  return address;
}

function close() {
  if (!open) return;
  clearTimeout(open.timer);
  open.list.remove();
  open.input.setAttribute("aria-expanded", "false");
  open.input.removeAttribute("aria-activedescendant");
  open = null;
}

function begin(input) {
  if (open && open.input === input) return;
  close();
  const list = document.createElement("ul");
  list.id = `${input.id || input.name}-found`;
  list.className = "item-picker__found";
  list.setAttribute("role", "listbox");
  list.hidden = true;
  input.after(list);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  input.setAttribute("aria-expanded", "false");
  open = { input, list, timer: 0 };
}

function choose(option) {
  const { input } = open;
  input.value = option.dataset.reference;
  close();
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

function show(items) {
  open.list.replaceChildren(...items.map((item, index) => {
    const option = document.createElement("li");
    option.id = `${open.list.id}-${index}`;
    option.setAttribute("role", "option");
    option.dataset.reference = item.reference;
    option.textContent = item.label;
    const state = document.createElement("span");
    state.className = `badge badge-${item.state}`;
    state.textContent = item.state;
    const note = document.createElement("small");
    note.textContent = item.note;
    option.append(" ", state, " ", note);
    option.addEventListener("pointerdown", (event) => { event.preventDefault(); choose(option); });
    return option;
  }));
  open.list.hidden = items.length === 0;
  open.input.setAttribute("aria-expanded", String(items.length > 0));
}

async function search() {
  const asked = open;
  const typed = asked.input.value; // an answer to what was typed before is no answer
  const answer = await fetch(lookupAddress(asked.input), { headers: { Accept: "application/json" } });
  const found = answer.ok ? (await answer.json()).items : [];
  if (open === asked && asked.input.value === typed) show(found);
}

function step(by) {
  const options = [...open.list.children];
  if (!options.length) return;
  const now = options.findIndex((option) => option.ariaSelected === "true");
  const next = options[(now + by + options.length) % options.length];
  options.forEach((option) => option.setAttribute("aria-selected", String(option === next)));
  open.input.setAttribute("aria-activedescendant", next.id);
  next.scrollIntoView({ block: "nearest" });
}

document.addEventListener("input", (event) => {
  const input = event.target;
  if (!input.matches || !input.matches("[data-item-kind]")) return;
  begin(input);
  clearTimeout(open.timer);
  show([]); // Enter must not take a suggestion for what stood here before
  open.timer = setTimeout(search, PAUSE);
});

document.addEventListener("keydown", (event) => {
  if (!open || event.target !== open.input || event.altKey) return;
  const selected = open.list.querySelector("[aria-selected=true]");
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    step(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Enter") {
    event.preventDefault(); // while suggestions are on their way, Enter must not send the form
    if (!open.list.hidden) choose(selected || open.list.firstElementChild);
  } else if (event.key === "Escape") {
    close();
  }
});

document.addEventListener("focusout", (event) => { if (open && event.target === open.input) close(); });
