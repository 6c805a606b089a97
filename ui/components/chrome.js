// What Streamlit's own page does and has no setting for. Its English is replaced, by exact match, in names and short
// texts; what people and documents wrote is left alone.

const NAMES = ["aria-label", "title", "placeholder"];
const OURS = ".legajo-plain, .legajo-live, .legajo-uploads, .legajo-table, textarea, input, style, script";

// A key with a star in it stands for whatever is there.
const starred = (words) => Object.keys(words).filter((key) => key.includes("*")).map((key) => {
  const [before, after] = key.split("*");
  return [(said) => said.startsWith(before) && said.endsWith(after) && said.length > before.length + after.length, words[key]];
});
let patterns = [];
const translated = (said, words) => words[said] ?? patterns.find(([fits]) => said && fits(said))?.[1];

function replaceNames(node, words) {
  // What has a name is no mere presentation: Streamlit's place to drop files says both.
  if (node.getAttribute("role") === "presentation" && node.hasAttribute("aria-label")) node.setAttribute("role", "group");
  for (const name of NAMES) {
    const word = translated(node.getAttribute(name), words);
    if (word) node.setAttribute(name, word);
  }
}

function replaceText(node, words) {
  const word = translated(node.nodeValue.trim(), words);
  if (word && !node.parentElement?.closest(OURS)) node.nodeValue = word;
}

function replaceAll(root, words) {
  if (root.nodeType === Node.TEXT_NODE) return replaceText(root, words);
  if (root.nodeType !== Node.ELEMENT_NODE) return;
  replaceNames(root, words);
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.nodeType === Node.TEXT_NODE) replaceText(node, words);
    else replaceNames(node, words);
  }
}

// On a phone the side of the page lies over it: who chose where to go wants to see that.
const PHONE_PIXELS = 768; // Streamlit's own limit
const DESTINATIONS = "[data-testid='stPageLink-NavLink'], .st-key-legajo_new button, [class*='st-key-open-'] button";
function uncover(event) {
  if (window.innerWidth > PHONE_PIXELS || !event.target.closest(DESTINATIONS)) return;
  const side = event.target.closest("[data-testid='stSidebar']");
  setTimeout(() => side?.querySelector("[data-testid='stSidebarCollapseButton'] button")?.click());
}

// The page follows its end when it grows, unless it was scrolled away from it; what is opened in a message is read from
// its beginning. (The style sheet sees to it that there is always something to scroll.)
const [NOTICED_MS, NUDGE_PIXELS] = [60, 4];
function holdStill(event) {
  const summary = event.target.closest("[data-testid='stChatMessage'] summary");
  const scroller = summary?.closest(".stMain");
  if (!scroller || !event.isTrusted || summary.parentElement.open) return;
  event.preventDefault();
  event.stopPropagation();
  scroller.scrollTop += scroller.scrollTop < NUDGE_PIXELS ? NUDGE_PIXELS : -NUDGE_PIXELS;
  setTimeout(() => {
    const held = hold(scroller);
    summary.click();
    setTimeout(() => showBeginning(summary, scroller, held), GROWN_MS);
  }, NOTICED_MS);
}

// For as long as what was opened may grow (on a slow computer the page follows its end all the same), or until whoever
// reads moves the page.
const [HELD_MS, MOVES] = [2500, ["wheel", "touchstart", "pointerdown", "keydown"]];
function hold(scroller) {
  const held = { place: scroller.scrollTop };
  const goBack = () => {
    if (scroller.scrollTop > held.place) scroller.scrollTop = held.place;
  };
  const letGo = () => {
    scroller.removeEventListener("scroll", goBack);
    for (const move of MOVES) window.removeEventListener(move, letGo, true);
  };
  scroller.addEventListener("scroll", goBack);
  for (const move of MOVES) window.addEventListener(move, letGo, { capture: true, passive: true });
  setTimeout(letGo, HELD_MS);
  return held;
}

// Of what is opened just above the question box, a few lines come into sight, and no more: the answer stays.
const [GROWN_MS, SEEN_PIXELS, MOST_PIXELS] = [500, 160, 130];
function showBeginning(summary, scroller, held) {
  const box = document.querySelector("[data-testid='stBottom']");
  if (!box || !summary.isConnected || !summary.parentElement.open) return;
  const lacking = SEEN_PIXELS - (box.getBoundingClientRect().top - summary.getBoundingClientRect().bottom);
  if (lacking <= 0) return;
  held.place = scroller.scrollTop + Math.min(lacking, MOST_PIXELS);
  scroller.scrollTop = held.place;
}

// Keys: «/» goes to the question box, Ctrl+K to the conversations, Esc stops an answer or closes what lies beside it, and
// the arrow up, in an empty box, takes the last question up again.
const BOX = "[data-testid='stChatInputTextArea']";
const pressed = (selector) => {
  const found = [...document.querySelectorAll(selector)].filter((node) => node.offsetParent && !node.disabled).at(-1);
  found?.click();
  return Boolean(found);
};
const isTyping = ({ tagName, isContentEditable }) => isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(tagName);
const STOPS = "[data-testid='stChatInputStopButton'], .st-key-legajo_stop button";
const MENUS = "[data-baseweb='popover'], [role='dialog'], [role='listbox']";
function handle(event, target) {
  const box = document.querySelector(BOX);
  if (event.key === "k" && (event.ctrlKey || event.metaKey)) {
    pressed("[data-testid='stExpandSidebarButton']");
    const find = document.querySelector(".st-key-legajo_find input") ?? document.querySelector(".st-key-legajo_conversations button");
    find?.focus();
    return Boolean(find);
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key === "/" && !isTyping(target)) return box ? (box.focus(), true) : false;
  if (event.key === "Escape" && !document.querySelector(MENUS)) {
    return pressed(STOPS) || pressed(".st-key-legajo_beside_close button");
  }
  if (event.key === "ArrowUp" && target === box && !box.value) return pressed("[class*='st-key-legajo_edit_'] button");
  return false;
}
function onKey(event) {
  if (!event.defaultPrevented && handle(event, event.composedPath()[0])) event.preventDefault();
}

// What was chosen of the page's looks is a year in cookies. Streamlit keeps its theme for each address, and reads it as the
// page is loaded: where it is another one than was chosen, the page is loaded once more.
const YEAR_SECONDS = 365 * 24 * 3600;
const THEMES = { light: '"Light"', dark: '"Dark"' };
const LOADED = window.location.pathname;
async function keep(chosen) {
  await asked; // a page that is loaded anew takes the question away
  for (const [name, value] of Object.entries(chosen)) {
    document.cookie = `${name}=${value}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
  }
  if (chosen.legajo_theme) putOn(chosen.legajo_theme);
  window.location.reload();
}
function putOn(theme) {
  for (const place of new Set([LOADED, window.location.pathname])) {
    const key = `stActiveTheme-${place}-v2`;
    if (THEMES[theme]) localStorage.setItem(key, THEMES[theme]);
    else localStorage.removeItem(key);
  }
}
function wears(theme) {
  const kept = localStorage.getItem(`stActiveTheme-${LOADED}-v2`);
  return THEMES[theme] ? kept === THEMES[theme] : !Object.values(THEMES).includes(kept);
}
function dress(theme) {
  const tried = `legajo-theme-${LOADED}`;
  if (wears(theme)) return sessionStorage.removeItem(tried);
  if (sessionStorage.getItem(tried) === theme) return; // the browser keeps nothing
  sessionStorage.setItem(tried, theme);
  putOn(theme);
  window.location.reload();
}

// What ended while the page was in no sight is told by the browser, where that was chosen; it is asked for leave at the
// click that chooses it, and never again.
const NOTIFY = "[class*='st-key-legajo_appearance_notification'] button";
let asked = null;
function askLeave(event) {
  if (event.target.closest(NOTIFY) && window.Notification?.permission === "default") asked = Notification.requestPermission();
}
function tell(news) {
  if (!document.hidden || window.Notification?.permission !== "granted") return;
  news.forEach((body) => new Notification("Legajo", { body, tag: body }));
}

let observer = null;

export default function ({ data }) {
  document.documentElement.lang = data.language;
  if (Object.keys(data.kept).length) return void keep(data.kept);
  tell(data.news);
  if (observer) return;
  document.addEventListener("click", uncover);
  document.addEventListener("click", holdStill, true);
  document.addEventListener("click", askLeave, true);
  document.addEventListener("keydown", onKey);
  dress(data.theme);
  const words = Object.assign(Object.create(null), data.words);
  patterns = starred(words);
  replaceAll(document.body, words);
  observer = new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === "attributes") replaceNames(change.target, words);
      else if (change.type === "characterData") replaceText(change.target, words);
      else change.addedNodes.forEach((node) => replaceAll(node, words));
    }
  });
  observer.observe(document.body, {
    subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: NAMES,
  });
  return () => {
    document.removeEventListener("click", uncover);
    document.removeEventListener("click", holdStill, true);
    document.removeEventListener("click", askLeave, true);
    document.removeEventListener("keydown", onKey);
    observer.disconnect();
    observer = null;
  };
}
