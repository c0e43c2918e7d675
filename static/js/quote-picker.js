// Take quotes from the transcript: select words, listen, check, save. Words are counted as the server counts
// them: by the spaces between them, from the number that each paragraph begins with.
"use strict";

const TOUCH_PAUSE = 600; // ms without a move, after which a selection made by finger is taken

document.addEventListener("DOMContentLoaded", () => {
  const picker = document.querySelector("[data-picker]");
  if (!picker) return;
  const said = picker.querySelector("[data-said]");
  const side = picker.querySelector("[data-quote-check]");
  const { form, look, set } = side.quoteCheck;
  const selection = document.getSelection();

  // Which words are selected

  const paragraphOf = (node) => (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement)?.closest("[data-first]");

  function countWords(text) {
    return text.split(/\s+/).filter(Boolean).length;
  }

  // The number of the word at or after a place in the transcript; with "isEnd" of the one at or before it.
  function wordAt(node, offset, isEnd) {
    let paragraph = paragraphOf(node);
    if (!paragraph) { // between paragraphs: the nearest in reading order
      const all = [...said.querySelectorAll("[data-first]")];
      const range = new Range();
      range.setStart(node, offset);
      const next = all.findIndex((one) => range.comparePoint(one, 0) >= 0);
      paragraph = isEnd ? all[(next < 0 ? all.length : next) - 1] : all[next];
      if (!paragraph) return null;
      const first = Number(paragraph.dataset.first);
      return isEnd ? first + countWords(paragraph.textContent) - 1 : first;
    }
    const before = new Range();
    before.setStart(paragraph, 0);
    before.setEnd(node, offset);
    const text = before.toString();
    const count = countWords(text);
    const isInWord = /\S$/.test(text);
    const first = Number(paragraph.dataset.first);
    if (isEnd) return first + count - 1;
    const whole = countWords(paragraph.textContent);
    return Math.min(first + (isInWord ? count - 1 : count), first + whole - 1);
  }

  function startsInWord(node, offset) {
    const paragraph = paragraphOf(node);
    if (!paragraph) return false;
    const after = new Range();
    after.setStart(node, offset);
    after.setEnd(paragraph, paragraph.childNodes.length);
    return /^\S/.test(after.toString());
  }

  // What is selected of the transcript, where the mouse went on beyond it.
  function selectedRange() {
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0).cloneRange();
    if (!range.intersectsNode(said)) return null;
    const whole = new Range();
    whole.selectNodeContents(said);
    if (range.compareBoundaryPoints(Range.START_TO_START, whole) < 0) range.setStart(said, 0);
    if (range.compareBoundaryPoints(Range.END_TO_END, whole) > 0) range.setEnd(said, said.childNodes.length);
    return range;
  }

  function selectedWords() {
    const range = selectedRange();
    if (!range || !range.toString().trim()) return null;
    const paragraph = paragraphOf(range.startContainer);
    let first = wordAt(range.startContainer, range.startOffset, false);
    if (paragraph && first !== null && !startsInWord(range.startContainer, range.startOffset)) {
      const before = new Range();
      before.setStart(paragraph, 0);
      before.setEnd(range.startContainer, range.startOffset);
      if (/\S$/.test(before.toString())) first += 1; // the selection begins after a word, at its space
    }
    const last = wordAt(range.endContainer, range.endOffset, true);
    return first === null || last === null || last < first ? null : { first, last };
  }

  // A range of words as a range of the page

  function pointOf(number, isEnd) {
    const paragraphs = [...said.querySelectorAll("[data-first]")];
    const paragraph = paragraphs.findLast((one) => Number(one.dataset.first) <= number);
    if (!paragraph) return null;
    let left = number - Number(paragraph.dataset.first);
    const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const word of node.data.matchAll(/\S+/g)) {
        if (left === 0) return [node, isEnd ? word.index + word[0].length : word.index];
        left -= 1;
      }
    }
    return null;
  }

  function rangeOf(first, last) {
    const [start, end] = [pointOf(first, false), pointOf(last, true)];
    if (!start || !end) return null;
    const range = new Range();
    range.setStart(...start);
    range.setEnd(...end);
    return range;
  }

  function paint(name, range) {
    if (!window.Highlight) return; // the selection itself is still to be seen
    if (range) CSS.highlights.set(name, new Highlight(range));
    else CSS.highlights.delete(name);
  }

  // Picking

  const told = picker.querySelector("[data-pick-told]");
  const undo = form.querySelector("[data-pick-undo]");
  const taken = ["text", "speaker", "start_ms", "end_ms"].map((name) => form.elements[name]);
  let isTyped = false; // by hand, since words were taken
  let replaced = null; // what was typed by hand, and gave way to words taken

  async function pick() {
    const words = selectedWords();
    told.textContent = words ? "" : told.dataset.nothing;
    if (!words) return;
    paint("picked", rangeOf(words.first, words.last));
    const held = taken.map((field) => field.value);
    const found = await look(words);
    if (!found || !found.picked) return;
    const { text, speaker, start, end } = found.picked;
    fill([text, speaker ?? form.elements.speaker.value, start, end]);
    replaced = isTyped && held[0].trim() ? held : replaced;
    undo.hidden = !replaced;
    isTyped = false;
  }

  function fill(values) {
    taken.forEach((field, place) => { field.value = values[place]; });
    form.elements.heard.checked = false;
    showTimes();
  }

  for (const field of taken) field.addEventListener("input", () => { isTyped = true; });
  undo.addEventListener("click", () => {
    fill(replaced);
    replaced = null;
    undo.hidden = true;
    isTyped = true;
    paint("picked", null);
    look();
    form.elements.text.focus();
  });

  let isDragging = false;
  let isTouch = false;
  let settled = 0;

  said.addEventListener("pointerdown", (event) => { isTouch = event.pointerType === "touch"; });
  said.addEventListener("mousedown", (event) => {
    isDragging = event.button === 0 && !event.target.closest("button, a");
    // What is selected already would be dragged away instead of words being selected in it.
    if (isDragging && !event.shiftKey) selection.removeAllRanges();
  });
  document.addEventListener("mouseup", () => {
    if (isDragging) setTimeout(() => { if (!selection.isCollapsed) pick(); }); // once the selection is what was clicked
    isDragging = false;
  });
  document.addEventListener("selectionchange", () => { // a finger that moves the ends of a selection tells no more
    if (!isTouch || !selectedWords()) return;
    clearTimeout(settled);
    settled = setTimeout(pick, TOUCH_PAUSE);
  });

  // By keyboard

  let goOnAt = null; // the word that was found; to select it while somebody types would take the caret away

  said.addEventListener("keydown", (event) => {
    if (event.key === "a" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      selection.selectAllChildren(said);
      return;
    }
    if (event.target !== said || event.altKey || event.ctrlKey || event.metaKey) return;
    const moves = {
      ArrowRight: ["forward", "word"], ArrowLeft: ["backward", "word"],
      ArrowDown: ["forward", "line"], ArrowUp: ["backward", "line"],
    };
    const move = moves[event.key];
    if (move) {
      event.preventDefault();
      if (!said.contains(selection.focusNode)) selection.collapse(...pointOf(firstSeen(), false));
      selection.modify(event.shiftKey ? "extend" : "move", ...move);
      const focus = selection.focusNode && paragraphOf(selection.focusNode);
      focus?.scrollIntoView({ block: "nearest" });
      showCaret();
    } else if (event.key === "Enter") {
      event.preventDefault();
      const isPicked = Boolean(selectedWords());
      pick();
      if (isPicked) form.elements.text.focus();
    }
  });

  // The first word of the first paragraph that is seen.
  function firstSeen() {
    const top = said.getBoundingClientRect().top;
    const paragraphs = [...said.querySelectorAll("[data-first]")];
    const seen = paragraphs.find((one) => one.getBoundingClientRect().bottom > top);
    return seen ? Number(seen.dataset.first) : 0;
  }

  said.addEventListener("focus", () => {
    if (goOnAt !== null) selection.collapse(...pointOf(goOnAt, false));
    goOnAt = null;
    showCaret();
  });
  said.addEventListener("blur", () => paint("caret", null));

  function showCaret() {
    if (!selection.focusNode || !said.contains(selection.focusNode)) return;
    const number = wordAt(selection.focusNode, selection.focusOffset, false);
    paint("caret", number === null ? null : rangeOf(number, number));
  }

  // Where the words stand that the form came back with.
  function showPicked() {
    const start = milliseconds("start_ms");
    if (start === null || location.hash) return;
    const times = [...said.querySelectorAll("[data-start]")];
    times.findLast((one) => Number(one.dataset.start) <= start)?.scrollIntoView({ block: "nearest" });
  }

  // Listening

  const place = form.querySelector("[data-pick-player]");
  const media = place?.querySelector("audio, video");
  const edges = place?.querySelector("[data-edges]");
  let stopAt = null; // in seconds of the file

  function milliseconds(name) {
    const parts = form.elements[name].value.trim().split(":").map(Number);
    if (!parts.length || parts.some(Number.isNaN) || !form.elements[name].value.trim()) return null;
    return Math.round(parts.reduce((sum, part) => sum * 60 + part, 0) * 1000);
  }

  function writeExact(ms) {
    const rest = ms % 1000 ? `.${String(ms % 1000).padStart(3, "0").replace(/0+$/, "")}` : "";
    return formatTimecode(ms) + rest;
  }

  function play(from, until) {
    if (!media || from === null) return;
    const offset = Number(place.dataset.offset);
    stopAt = until === null ? null : until / 1000 + offset;
    media.currentTime = Math.max(0, from / 1000 + offset);
    media.play().catch(() => {}); // the player itself shows what went wrong
  }

  function showTimes() {
    const [start, end] = [milliseconds("start_ms"), milliseconds("end_ms")];
    const isSpan = start !== null && end !== null && end > start;
    if (edges) edges.hidden = !isSpan;
    if (edges && isSpan) edges.querySelector("[data-length]").textContent = `${((end - start) / 1000).toFixed(1)} s`;
    for (const button of form.querySelectorAll("[data-nudge]")) button.hidden = milliseconds(button.dataset.nudge) === null;
  }

  function playEdge(name) {
    const [start, end] = [milliseconds("start_ms"), milliseconds("end_ms")];
    if (start === null || end === null) return;
    if (name === "start") play(start, Math.min(end, start + 2000));
    else play(Math.max(start, end - 2000), end);
  }

  media?.addEventListener("timeupdate", () => {
    if (stopAt !== null && media.currentTime >= stopAt) {
      media.pause();
      stopAt = null;
    }
  });
  form.addEventListener("click", (event) => {
    const nudge = event.target.closest("[data-nudge]");
    const edge = event.target.closest("[data-play-edge]");
    if (nudge) {
      const field = form.elements[nudge.dataset.nudge];
      set(field, writeExact(Math.max(0, milliseconds(field.name) + Number(nudge.dataset.by))));
      playEdge(field.name === "start_ms" ? "start" : "end");
    } else if (edge) {
      playEdge(edge.dataset.playEdge);
    } else if (event.target.closest("[data-play-quote]")) {
      play(milliseconds("start_ms"), milliseconds("end_ms"));
    }
  });
  said.addEventListener("click", (event) => {
    const time = event.target.closest("[data-at]");
    if (time) play(Number(time.dataset.at), null);
  });
  for (const name of ["start_ms", "end_ms"]) form.elements[name].addEventListener("input", showTimes);

  // Finding

  const find = picker.querySelector("[data-find]");
  const wanted = find.querySelector("input");
  const count = find.querySelector("[data-find-count]");
  let hits = [];
  let at = -1;

  // Words as they are compared: no case, no accents, plain apostrophes; as many as before.
  function wordsOf(text) {
    const letters = text.normalize("NFD").replace(/\p{M}/gu, "").replace(/[’‘ʼ]/g, "'");
    return letters.toLowerCase().split(/\s+/).filter(Boolean);
  }

  function search() {
    const words = wordsOf(wanted.value);
    hits = [];
    for (const paragraph of words.length ? said.querySelectorAll("[data-first]") : []) {
      const text = wordsOf(paragraph.textContent);
      for (let place = 0; place + words.length <= text.length; place += 1) {
        if (words.every((word, step) => text[place + step].includes(word))) {
          const first = Number(paragraph.dataset.first) + place;
          hits.push([first, first + words.length - 1]);
        }
      }
    }
    at = -1;
    go(1);
  }

  function go(by) {
    at = hits.length ? (at + by + hits.length) % hits.length : -1;
    count.textContent = hits.length ? `${at + 1} / ${hits.length}` : wanted.value.trim() ? wanted.dataset.none : "";
    const range = at < 0 ? null : rangeOf(...hits[at]);
    paint("found", range);
    goOnAt = range ? hits[at][0] : null;
    if (range) paragraphOf(range.startContainer).scrollIntoView({ block: "center" });
  }

  find.hidden = false;
  wanted.addEventListener("input", search);
  find.addEventListener("submit", (event) => {
    event.preventDefault();
    go(1);
  });
  find.querySelector("[data-find-next]").addEventListener("click", () => go(1));
  find.querySelector("[data-find-previous]").addEventListener("click", () => go(-1));

  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, textarea, select");
    const isCommand = event.altKey || event.ctrlKey || event.metaKey;
    if (isTyping || (isCommand && !event.getModifierState("AltGraph"))) return; // “[” may need AltGr
    if (event.key === "/") {
      event.preventDefault();
      wanted.focus();
    } else if (event.key === "[" || event.key === "]") {
      event.preventDefault();
      playEdge(event.key === "[" ? "start" : "end");
    }
  });

  form.querySelector("[data-without-script]").hidden = true;
  for (const part of picker.querySelectorAll("[data-with-script]")) part.hidden = false;
  for (const time of said.querySelectorAll("[data-at]")) time.disabled = false;
  showPicked();
  showTimes();
});
