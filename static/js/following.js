// Beside a quote's form: what readers will see after it, as the list in the form stands.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const panel = document.querySelector("[data-following]");
  const list = document.querySelector('[data-card-list="related"]');
  if (!panel || !list) return;
  const numberIn = (field) => (field.value.match(/\(#(\d+)\)/) || [])[1];

  let asked = 0; // answers may overtake each other; only the newest counts

  async function show() {
    const mine = ++asked;
    const address = new URL(panel.dataset.following, location.href);
    const speaker = numberIn(list.closest("form").elements.speaker);
    if (speaker) address.searchParams.set("speaker", speaker);
    for (const row of list.querySelectorAll(".card-row:not([hidden])")) {
      const number = numberIn(row.querySelector('[name$="-related"]'));
      if (number) address.searchParams.append("related", number);
    }
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    const html = await answer.text();
    if (answer.ok && mine === asked) panel.innerHTML = html;
  }

  list.addEventListener("change", show);
  list.addEventListener("card-list:moved", show);
  list.closest("form").elements.speaker.addEventListener("change", show);
});
