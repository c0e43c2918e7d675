// Beside the form of a quote or a guest: what readers will see, as the list in the form stands.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const panel = document.querySelector("[data-following]");
  const list = panel && document.querySelector(`[data-card-list="${panel.dataset.followingList}"]`);
  if (!list) return;
  const row = panel.dataset.followingRow;
  const speaker = list.closest("form").elements.speaker; // a guest's form has none: the guest speaks
  const numberIn = (field) => (field.value.match(/\(#(\d+)\)/) || [])[1];

  let asked = 0; // answers may overtake each other; only the newest counts

  async function show() {
    const mine = ++asked;
    const address = new URL(panel.dataset.following, location.href);
    const chosenSpeaker = speaker && numberIn(speaker);
    if (chosenSpeaker) address.searchParams.set("speaker", chosenSpeaker);
    for (const field of list.querySelectorAll(`.card-row:not([hidden]) [name$="-${row}"]`)) {
      const number = numberIn(field);
      if (number) address.searchParams.append(row, number);
    }
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    const html = await answer.text();
    if (answer.ok && mine === asked) panel.innerHTML = html;
  }

  list.addEventListener("change", show);
  list.addEventListener("card-list:moved", show);
  speaker?.addEventListener("change", show);
});
