// The check while typing: what the server finds of a quote as its form stands. Without this script a save tells.
"use strict";

const CHECK_PAUSE = 60; // ms between a keystroke and the question

function quoteCheck(place) {
  const form = place.closest("form");
  const shown = place.querySelector("[data-finding]");
  const told = place.querySelector("[data-finding-told]");
  const fields = ["text", "speaker", "start_ms", "end_ms", "claim"].map((name) => form.elements[name]);
  let asked = 0; // answers may overtake each other; only the newest counts
  let timer = 0;
  let waiting = null;

  async function look(words = {}) {
    clearTimeout(timer);
    const mine = ++asked;
    waiting?.abort();
    waiting = new AbortController();
    const data = new FormData();
    for (const field of [...fields, form.elements.transcript, form.elements.csrfmiddlewaretoken]) {
      if (field) data.append(field.name, field.value);
    }
    data.append("quote", place.dataset.item);
    for (const [name, value] of Object.entries(words)) data.append(name, value);
    let found = null;
    try {
      const answer = await fetch(place.dataset.look, { method: "POST", body: data, signal: waiting.signal });
      if (answer.ok) found = await answer.json();
    } catch { // gave way to a newer question, or no answer came
      found = null;
    }
    if (mine !== asked) return null;
    if (!found) {
      shown.textContent = shown.dataset.silent; // what was found before is not of what stands here now
      return null;
    }
    const isOpen = shown.querySelector("details")?.open;
    shown.innerHTML = found.html;
    const around = shown.querySelector("details");
    if (around && isOpen) around.open = true;
    tell();
    place.dispatchEvent(new CustomEvent("quote-check:found", { bubbles: true, detail: found }));
    return found;
  }

  // What is spoken to those who do not see it: the finding in one line, each time that it is another.
  function tell() {
    const verdict = shown.querySelector(".finding__verdict")?.textContent ?? "";
    if (told.textContent !== verdict) told.textContent = verdict;
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(look, CHECK_PAUSE);
  }

  function set(field, value) {
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  for (const field of fields) {
    field.addEventListener("input", later);
    field.addEventListener("change", later);
  }

  // What was heard is not what stands here now.
  const heard = form.elements.heard;
  function unhear() {
    if (!heard) return;
    heard.checked = false;
    heard.value = "now";
  }
  for (const field of fields.slice(0, 4)) field.addEventListener("input", unhear);

  shown.addEventListener("click", (event) => {
    const way = event.target.closest("[data-way]");
    const times = event.target.closest("[data-take-times]");
    if (way) {
      event.preventDefault();
      set(form.elements.text, way.value);
      form.elements.text.focus();
    } else if (times) {
      event.preventDefault();
      set(form.elements.start_ms, times.dataset.start);
      set(form.elements.end_ms, times.dataset.end);
      form.elements.start_ms.focus();
    }
  });
  return { form, look, set };
}

document.addEventListener("DOMContentLoaded", () => {
  for (const place of document.querySelectorAll("[data-quote-check]")) {
    place.quoteCheck = quoteCheck(place);
  }
});
