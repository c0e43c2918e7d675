// An ordered list of cards over a plain formset: drag, Alt+arrows, add, remove.
// Without this script the list has three spare rows, a position and a tick box for removal.
"use strict";

function rowsOf(list) {
  return [...list.querySelectorAll(".card-list__rows > .card-row")];
}

function part(row, name) {
  return row.querySelector(`[name$="-${name}"]`);
}

function isBlank(row) {
  const fields = row.querySelectorAll("input:not([type=checkbox]):not([name$='-ORDER']), textarea");
  return [...fields].every((field) => !field.value.trim());
}

function shownRows(list) {
  return rowsOf(list).filter((row) => !row.hidden);
}

function renumber(list) {
  shownRows(list).forEach((row, index) => { part(row, "ORDER").value = index + 1; });
  list.dispatchEvent(new Event("card-list:moved"));
}

function say(list, text) {
  list.querySelector(".card-list__said").textContent = text;
}

function move(list, row, step) {
  const rows = shownRows(list);
  const place = rows.indexOf(row) + step;
  if (place < 0 || place >= rows.length) return;
  const focused = document.activeElement;
  if (step < 0) rows[place].before(row); else rows[place].after(row);
  renumber(list);
  if (row.contains(focused)) focused.focus();
  say(list, `${place + 1} / ${rows.length}`);
}

function button(label, text, action) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.setAttribute("aria-label", label);
  made.title = label;
  made.addEventListener("click", action);
  return made;
}

function equip(list, row) {
  for (const name of ["ORDER", "DELETE"]) {
    part(row, name).closest(".card-row__field").hidden = true;
  }
  const tools = document.createElement("div");
  tools.className = "card-row__tools";
  const grip = document.createElement("span");
  grip.className = "card-row__grip";
  grip.textContent = "⠿";
  grip.setAttribute("aria-hidden", "true");
  grip.addEventListener("pointerdown", () => { row.draggable = true; });
  grip.addEventListener("pointerup", () => { row.draggable = false; });
  tools.append(
    grip,
    button(list.dataset.up, "↑", () => move(list, row, -1)),
    button(list.dataset.down, "↓", () => move(list, row, 1)),
    button(list.dataset.remove, "✕", () => {
      part(row, "DELETE").checked = true;
      row.hidden = true;
      renumber(list);
      list.querySelector(".card-list__add").focus();
    }),
  );
  row.prepend(tools);
  row.addEventListener("dragstart", (event) => {
    row.classList.add("card-row--dragged");
    event.dataTransfer.effectAllowed = "move";
  });
  row.addEventListener("dragend", () => {
    row.classList.remove("card-row--dragged");
    row.draggable = false;
    renumber(list);
  });
}

function add(list) {
  const total = document.getElementById(`id_${list.dataset.cardList}-TOTAL_FORMS`);
  const holder = document.createElement("ol");
  holder.innerHTML = list.querySelector("template").innerHTML.replaceAll("__prefix__", total.value);
  const row = holder.firstElementChild;
  list.querySelector(".card-list__rows").append(row);
  total.value = Number(total.value) + 1;
  equip(list, row);
  renumber(list);
  row.querySelector("input:not([type=hidden]), select, textarea").focus();
}

function start(list) {
  for (const row of rowsOf(list)) {
    equip(list, row);
    if (isBlank(row)) row.hidden = true;
  }
  renumber(list);
  const adder = list.querySelector(".card-list__add");
  adder.hidden = false;
  adder.addEventListener("click", () => add(list));
  list.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const row = event.target.closest(".card-row");
    if (event.altKey && step && row) {
      event.preventDefault();
      move(list, row, step);
    }
  });
  list.addEventListener("dragover", (event) => {
    const dragged = list.querySelector(".card-row--dragged");
    const over = event.target.closest(".card-row");
    if (!dragged || !over || over === dragged) return;
    event.preventDefault();
    const box = over.getBoundingClientRect();
    if (event.clientY < box.top + box.height / 2) over.before(dragged); else over.after(dragged);
  });
}

document.addEventListener("DOMContentLoaded", () => document.querySelectorAll("[data-card-list]").forEach(start));
