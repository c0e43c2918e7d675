// Find in a transcript, over the bounds of its parts; the browser's own search does without.
"use strict";

const form = document.querySelector("[data-find]");
const input = form.querySelector("input");
const count = form.querySelector("[data-find-count]");
const text = document.querySelector("[data-transcript]");
const canHighlight = "highlights" in CSS;
let index = null; // the letters as searched, and where each text node begins in them
let found = []; // ranges of the document
let current = -1;

// Return letters as they are compared: no case, plain apostrophes, not one more or less than before.
function fold(letters) {
  const lower = letters.toLowerCase();
  return (lower.length === letters.length ? lower : letters).replace(/[’‘ʼ]/g, "'").replace(/\s/g, " ");
}

function buildIndex() {
  const nodes = [];
  let letters = "";
  for (const cue of text.querySelectorAll(".cue")) {
    const walker = document.createTreeWalker(cue, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement.closest("a")) continue; // a link to a quote
      nodes.push({ node, start: letters.length });
      letters += fold(node.data);
    }
    letters += " ";
  }
  return { nodes, letters };
}

// Return the text node that holds a place, by halving.
function nodeAt(place) {
  let low = 0;
  let high = index.nodes.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (index.nodes[middle].start <= place) low = middle;
    else high = middle - 1;
  }
  return index.nodes[low];
}

function rangeOf(start, end) {
  const range = new Range();
  const first = nodeAt(start);
  const last = nodeAt(end - 1);
  range.setStart(first.node, Math.min(start - first.start, first.node.length));
  range.setEnd(last.node, Math.min(end - last.start, last.node.length));
  return range;
}

function search() {
  index ??= buildIndex();
  const wanted = fold(input.value.trim().replace(/\s+/g, " "));
  found = [];
  current = -1;
  for (let at = wanted ? index.letters.indexOf(wanted) : -1; at >= 0; at = index.letters.indexOf(wanted, at + wanted.length)) {
    found.push(rangeOf(at, at + wanted.length));
  }
  if (found.length) go(firstBelow(), false);
  else show();
}

// Return the first place that is not above what the reader sees.
function firstBelow() {
  const below = found.findIndex((range) => range.getBoundingClientRect().bottom > 0);
  return below < 0 ? 0 : below;
}

function go(number, isAsked = true) {
  if (!found.length) return;
  current = (number + found.length) % found.length;
  show();
  const box = found[current].getBoundingClientRect();
  const isSeen = box.top > form.getBoundingClientRect().bottom && box.bottom < window.innerHeight;
  if (!isSeen) found[current].startContainer.parentElement.scrollIntoView({ block: "center" });
  if (!canHighlight && isAsked) select(found[current]);
}

function select(range) {
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}

function show() {
  const wanted = input.value.trim();
  const words = found.length ? form.dataset.count : form.dataset.none;
  count.textContent = wanted ? words.replace("{number}", current + 1).replace("{count}", found.length) : "";
  if (!canHighlight) return;
  CSS.highlights.set("found", new Highlight(...found));
  CSS.highlights.set("found-current", new Highlight(...found.slice(Math.max(current, 0), current + 1)));
}

input.addEventListener("input", search);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  go(current + 1);
});
form.querySelector("[data-find-previous]").addEventListener("click", () => go(current - 1));
input.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.shiftKey) return;
  event.preventDefault();
  go(current - 1);
});
form.hidden = false;
