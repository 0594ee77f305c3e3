"use strict";
// The listening page. The same for the server, which keeps the answers, and for a file opened from disk, which keeps them in the
// browser and hands them out as a download. Text reaches the page by textContent alone.
(() => {
const $ = id => document.getElementById(id);
const make = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};
const plural = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

// --- where answers go --------------------------------------------------------------------------------------------------

const memory = new Map();  // stands in where the browser keeps nothing for this page
let keeps = true;
const kept = {
  get(name) {
    try { return localStorage.getItem(name); } catch { return memory.get(name) ?? null; }
  },
  set(name, value) {
    try { localStorage.setItem(name, value); return true; } catch { keeps = false; memory.set(name, value); return false; }
  },
};
const keptJson = (name, otherwise) => {
  try { return JSON.parse(kept.get(name)) ?? otherwise; } catch { return otherwise; }
};

// Answers with one more, in the place of an earlier one to the same question.
const replaced = (study, answers, answer) => [
  ...answers.filter(one => one.trial !== answer.trial || (study.study.mode !== "best" && one.clip !== answer.clip)), answer,
];

class Server {
  static async open() {
    const answer = await fetch("api/study");
    if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
    return new Server(await answer.json());
  }
  constructor(study) {
    this.study = study;
    this.key = "";
    this.sending = false;
    this.troubled = false;
    this.onstate = () => {};
    addEventListener("online", () => this.flush());
  }
  async enter(name, again) {
    const answer = await this.post("api/enter", {name, again});
    const told = await answer.json();
    if (answer.status === 409) return {taken: told.answers};
    if (!answer.ok) throw new Error(told.error);
    this.key = told.key;
    const waiting = this.waiting();  // of a page that was closed before the server had them
    if (waiting.length) this.flush();
    return {name: told.name, key: told.key, answers: [...told.answers, ...waiting]};
  }
  async sound(clip) {
    const answer = await fetch(`media/${clip}`);
    if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
    return answer.blob();
  }
  keep(answer) {
    // First into the browser, so that an answer outlives both a closed page and a server that is away.
    kept.set(this.outbox(), JSON.stringify(replaced(this.study, this.waiting(), answer)));
    if (!this.troubled) this.onstate("saving", "Saving …");
    this.flush();
  }
  outbox() { return `reasonaudio:${this.study.id}:${this.key}`; }
  waiting() { return keptJson(this.outbox(), []); }
  async flush() {
    if (this.sending || !this.key) return;
    const batch = this.waiting().slice(0, 200);
    if (!batch.length) return;
    this.sending = true;
    clearTimeout(this.timer);
    let saved = false;
    try {
      const answer = await this.post("api/answers", {key: this.key, answers: batch}, true);
      saved = answer.ok;
      this.troubled = !saved;
      if (!saved && answer.status < 500) throw new Error((await answer.json()).error);
      if (!saved) this.onstate("waiting", "Not saved yet: the server is in trouble. Trying again …");
    } catch (error) {
      this.troubled = true;
      this.onstate("waiting", error instanceof TypeError
        ? "Not saved yet: the server does not answer. Trying again …" : `Not saved: ${error.message}`);
    }
    if (saved) {
      const sent = new Set(batch.map(one => JSON.stringify(one)));
      kept.set(this.outbox(), JSON.stringify(this.waiting().filter(one => !sent.has(JSON.stringify(one)))));
      if (!this.waiting().length) this.onstate("saved", "Saved");
    }
    this.sending = false;
    if (this.waiting().length) this.timer = setTimeout(() => this.flush(), saved ? 0 : 2000);
  }
  post(path, content, keepalive = false) {
    return fetch(path, {
      method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify(content), keepalive,
    });
  }
  get safe() { return !this.waiting().length; }
  get about() {
    return this.study.open_to_others
      ? "Your answers go to the computer that this page comes from, and nowhere else."
      : "Your answers stay on this computer.";
  }
}

class Disk {
  constructor(study, media) {
    this.study = study;
    this.media = media;
    this.onstate = () => {};
    this.isDisk = true;
    this.fresh = 0;  // answers that no download holds yet
  }
  async enter(name, again) {
    const place = `reasonaudio:${this.study.id}:${name.normalize("NFC").toLowerCase()}`;
    const before = keptJson(place, null);
    if (before && !again) return {taken: before.answers.length};
    this.place = place;
    this.session = before ?? {name, key: this.random(), answers: []};
    this.write();
    return {...this.session, answers: [...this.session.answers]};
  }
  random() { return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, "0")).join(""); }
  async sound(clip) {
    const bytes = Uint8Array.from(atob(this.media.clips[clip]), letter => letter.charCodeAt(0));
    return new Blob([bytes], {type: this.media.type});
  }
  keep(answer) {
    this.session.answers = replaced(this.study, this.session.answers, answer);
    this.fresh += 1;
    if (this.write()) this.onstate("saved", "Kept in this browser");
    else this.onstate("waiting", "This browser keeps nothing for this page: download before you close it");
  }
  write() { return kept.set(this.place, JSON.stringify(this.session)); }
  download() {
    const {name, key, answers} = this.session;
    const content = {format: "reasonaudio-listening-1", study: this.study.study, listener: name, key, answers};
    const link = make("a", {
      href: URL.createObjectURL(new Blob([JSON.stringify(content)], {type: "application/json"})),
      download: `listening-${name.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 40) || "answers"}.json`,
    });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    this.fresh = 0;
  }
  get safe() { return keeps || !this.fresh; }
  get about() { return "Your answers stay in this browser, until you download them at the end and hand the file over yourself."; }
}

// --- the order, each listener's own -------------------------------------------------------------------------------------

function shuffled(items, seed) {
  // xmur3 and mulberry32: small known generators; the order must be the same when the listener comes back.
  let hash = 1779033703 ^ seed.length;
  for (const letter of seed) {
    hash = Math.imul(hash ^ letter.codePointAt(0), 3432918353);
    hash = (hash << 13) | (hash >>> 19);
  }
  const random = () => {
    hash = (hash + 0x6d2b79f5) | 0;
    let mixed = Math.imul(hash ^ (hash >>> 15), 1 | hash);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const found = [...items];
  for (let last = found.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [found[last], found[other]] = [found[other], found[last]];
  }
  return found;
}

function ordered(study, key) {
  // Practice first; then what is asked, in which one catch trial stands somewhere in every stretch of equal length.
  const of = kind => study.trials.filter(trial => trial.kind === kind);
  const asked = shuffled(of("asked"), `${key}/asked`), catches = shuffled(of("catch"), `${key}/catch`);
  const found = [];
  catches.forEach((one, number) => {
    const part = asked.slice(Math.round(number * asked.length / catches.length), Math.round((number + 1) * asked.length / catches.length));
    const slots = shuffled([...part.keys(), part.length], `${key}/slot/${number}`);
    part.splice(slots[0], 0, one);
    found.push(...part);
  });
  if (!catches.length) found.push(...asked);
  return [...shuffled(of("practice"), `${key}/practice`), ...found].map(trial => ({...trial, clips: shuffled(trial.clips, `${key}/${trial.id}`)}));
}

// --- clips ---------------------------------------------------------------------------------------------------------------

const sounds = new Map();  // clip -> promise of a URL, those used last at the end
const MOST_SOUNDS = 60;  // more than the clips of this question and the next
function sound(backend, clip) {
  const found = sounds.get(clip) ?? backend.sound(clip).then(blob => URL.createObjectURL(blob));
  sounds.delete(clip);
  sounds.set(clip, found);
  found.catch(() => sounds.delete(clip));
  if (sounds.size > MOST_SOUNDS) {
    const [oldest, url] = sounds.entries().next().value;
    sounds.delete(oldest);
    url.then(URL.revokeObjectURL, () => {});
  }
  return found;
}

const playing = {player: null, stop() { this.player?.audio.pause(); }};

class Player {
  constructor(backend, clip, name, seconds) {
    this.plays = 0;
    this.heard = 0;
    this.audio = new Audio();
    this.button = make("button", {type: "button"});
    this.seek = make("input", {type: "range", min: 0, max: seconds, step: 0.1, value: 0});
    this.seek.setAttribute("aria-label", `Position in ${name}`);
    this.element = make("div", {className: "player"}, this.button, this.seek);
    this.name = name;
    this.label();
    this.button.addEventListener("click", () => this.toggle());
    this.seek.addEventListener("input", () => { this.audio.currentTime = Number(this.seek.value); });
    this.audio.addEventListener("play", () => {
      this.plays += 1;
      this.onplay?.();
    });
    for (const event of ["play", "pause", "ended"]) this.audio.addEventListener(event, () => this.label());
    this.audio.addEventListener("timeupdate", () => this.followed());
    this.audio.addEventListener("ended", () => this.followed());
    this.load = async () => {
      if (!this.audio.src) this.audio.src = await sound(backend, clip);
    };
    this.load().catch(() => {});  // said when it is played
  }
  release() {  // browsers allow a page only so many players, phones some forty
    this.audio.pause();
    this.audio.removeAttribute("src");
    this.audio.load();
  }
  followed() {
    this.heard = Math.max(this.heard, this.audio.currentTime);
    this.seek.value = this.audio.currentTime;
    this.seek.setAttribute("aria-valuetext", `${this.audio.currentTime.toFixed(1)} seconds`);
  }
  label() {
    const word = this.audio.paused ? (this.plays ? "Play again" : "Play") : "Pause";
    this.button.textContent = `${this.audio.paused ? "▶" : "❚❚"} ${word}`;
    this.button.setAttribute("aria-label", `${word} ${this.name}`);
  }
  async toggle() {
    if (!this.audio.paused) { this.audio.pause(); return; }
    if (playing.player !== this) playing.stop();
    playing.player = this;
    try {
      await this.load();
      await this.audio.play();
      $("broken").textContent = "";
    } catch (error) {
      if (error.name === "AbortError") return;  // paused before it began
      this.audio.removeAttribute("src");  // so that it is loaded anew
      $("broken").textContent = `${this.name} cannot be played (${error.message}). Press Play to try again.`;
    }
  }
}

// --- the session ---------------------------------------------------------------------------------------------------------

const JUDGED = [["fits", "Fits", "f"], ["not", "Does not fit", "n"], ["unsure", "Cannot tell", "c"]];

class Session {
  constructor(backend, {name, key, answers}) {
    this.backend = backend;
    this.name = name;
    this.study = backend.study.study;
    this.best = this.study.mode === "best";
    this.trials = ordered(this.study, key);
    this.answers = new Map();
    for (const answer of [...answers].sort((a, b) => a.at - b.at)) this.remember(answer);
    this.at = this.firstOpen();
    document.addEventListener("visibilitychange", () => this.clock(!document.hidden && !$("trial").hidden));
  }
  remember(answer) {
    const of = this.answers.get(answer.trial) ?? new Map();
    if (this.best) of.clear();
    of.set(answer.clip, answer);
    this.answers.set(answer.trial, of);
  }
  complete(trial) { return (this.answers.get(trial.id)?.size ?? 0) >= (this.best ? 1 : trial.clips.length); }
  firstOpen() {
    const found = this.trials.findIndex(trial => !this.complete(trial));
    return found < 0 ? this.trials.length : found;
  }
  clock(runs) {  // of the trial: only while it is looked at
    const now = performance.now();
    if (this.since !== null && this.since !== undefined) this.spent += now - this.since;
    this.since = runs ? now : null;
  }

  show() {
    this.leave();
    if (this.at >= this.trials.length) { this.finish(); return; }
    const trial = this.trials[this.at];
    this.trial = trial;
    this.spent = 0;
    this.since = null;
    this.told = trial.kind === "practice" && this.complete(trial);
    $("clips").dataset.trial = trial.id;
    $("text").textContent = trial.text;
    $("kind").textContent = trial.kind === "practice" ? "Practice: you are told afterwards what was right" : "";
    $("task").textContent = this.best
      ? "Which clip fits the sentence best? Choose one."
      : "Does each clip fit the sentence? Several may fit, or only one.";
    this.cards = trial.clips.map((clip, number) => this.card(trial, clip, number));
    $("clips").replaceChildren(...this.cards.map(card => card.element));
    this.choose(0);
    if (this.told) this.feedback();
    this.state();
    screen("trial", $("text"));
    this.clock(true);
    const coming = this.trials[this.at + 1];
    if (coming) for (const clip of coming.clips) sound(this.backend, clip).catch(() => {});
  }
  leave() {
    playing.stop();
    for (const card of this.cards ?? []) card.player.release();
    this.cards = [];
  }
  card(trial, clip, number) {
    const name = `clip ${number + 1}`;
    const player = new Player(this.backend, clip, name, this.backend.study.seconds);
    const group = make("fieldset", {}, make("legend", {textContent: `Your answer for ${name}`}));
    const given = this.answers.get(trial.id)?.get(clip)?.verdict;
    const choices = this.best ? [["best", "This one is the best", "b"]] : JUDGED;
    for (const [verdict, words] of choices) {
      const input = make("input", {type: "radio", name: this.best ? "best" : `answer-${number}`, value: verdict, checked: given === verdict});
      if (this.best) input.setAttribute("aria-label", `${words}: ${name}`);
      input.addEventListener("change", () => this.answer(number, verdict));
      group.append(make("label", {}, input, words));
    }
    const element = make("li", {className: "clip"}, make("h2", {className: "soft", textContent: `Clip ${number + 1}`}), player.element, group);
    element.dataset.clip = clip;
    element.addEventListener("focusin", () => this.choose(number));
    player.onplay = () => { this.choose(number); this.state(); };
    return {clip, player, element, group};
  }
  choose(number) {
    this.current = number;
    this.cards.forEach((card, other) => card.element.classList.toggle("current", other === number));
  }
  answer(number, verdict) {
    if (this.told) return;
    const {clip, player, group} = this.cards[number];
    const unheard = this.unheard(number);
    if (unheard >= 0) {
      for (const input of group.querySelectorAll("input")) input.checked = this.answers.get(this.trial.id)?.get(clip)?.verdict === input.value;
      $("verdict").textContent = `Play clip ${unheard + 1} first.`;
      this.choose(unheard);
      return;
    }
    this.clock(true);
    const answer = {
      trial: this.trial.id, clip, verdict, ms: Math.round(this.spent), plays: player.plays,
      heard_ms: Math.round(1000 * player.heard), at: Date.now(),
    };
    this.remember(answer);
    this.backend.keep(answer);
    group.querySelector(`[value=${verdict}]`).checked = true;
    this.state();
  }
  unheard(number) {  // the clip to be played before an answer on this one; -1 for none
    if (this.answers.has(this.trial.id) && (this.best || this.answers.get(this.trial.id).has(this.cards[number].clip))) return -1;
    return this.cards.findIndex((card, other) => (this.best || other === number) && !card.player.plays);
  }
  state() {
    const complete = this.complete(this.trial), last = this.at === this.trials.length - 1;
    $("next").textContent = this.trial.kind === "practice" && !this.told ? "Check" : last ? "Finish" : "Next";
    $("next").setAttribute("aria-disabled", String(!complete));
    $("back").hidden = this.at === 0;
    const practice = this.trials.filter(trial => trial.kind === "practice").length;
    const number = this.at + 1 - practice, of = this.trials.length - practice;
    $("place").textContent = number < 1 ? `Practice ${this.at + 1} of ${practice}` : `Question ${number} of ${of}`;
    $("progress").max = this.trials.length;
    $("progress").value = this.trials.filter(trial => this.complete(trial)).length;
    if (!this.told) $("verdict").textContent = "";
    for (const input of $("clips").querySelectorAll("fieldset input")) input.disabled = this.told;
  }
  next() {
    if (!this.complete(this.trial)) {
      const open = this.cards.findIndex(card => !this.answers.get(this.trial.id)?.has(card.clip));
      $("verdict").textContent = this.best ? "Choose the clip that fits best first." : `Clip ${open + 1} has no answer yet; “Cannot tell” is one.`;
      this.choose(open);
      this.cards[open].group.querySelector("input").focus();
      return;
    }
    if (this.trial.kind === "practice" && !this.told) {
      this.told = true;
      playing.stop();
      this.feedback();
      this.state();
      return;
    }
    this.at += 1;
    this.show();
  }
  back() {
    if (this.at > 0) { this.at -= 1; this.show(); }
  }
  feedback() {
    const truth = this.backend.study.feedback[this.trial.id], given = this.answers.get(this.trial.id);
    let right = 0;
    this.cards.forEach(({clip, element}, number) => {
      const {fits, why, events} = truth[clip], said = given.get(clip)?.verdict;
      const judged = said !== undefined && said !== "unsure";  // in mode "best" only the clip that was chosen is
      const good = judged && (said === "best" || said === "fits") === fits;
      right += good;
      const word = `${judged ? (good ? "Right. " : "No. ") : ""}${fits ? "It fits." : "It does not fit."}`;
      const lanes = make("div", {className: "heard"});
      lanes.setAttribute("role", "img");
      lanes.setAttribute("aria-label", `Clip ${number + 1}: ${events.map(event => event.said).join("; ")}`);
      for (const {label, start, length} of events) {
        const bar = make("i"), text = make("span", {textContent: label});
        bar.style.left = `${start / 10}%`;
        bar.style.width = `${length / 10}%`;
        if (start > 600) text.style.right = `${100 - (start + length) / 10}%`;
        else text.style.left = `${start / 10}%`;
        lanes.append(make("div", {}, text, bar));
      }
      element.append(make("div", {className: `feedback ${judged ? (good ? "right" : "wrong") : "plain"}`},
        make("strong", {textContent: word}), make("ul", {}, ...why.map(text => make("li", {textContent: text}))), lanes));
    });
    $("verdict").textContent = this.best
      ? (right ? "Right: your clip fits." : "Your clip does not fit.") : `${right} of ${plural(this.cards.length, "clip")} right.`;
  }
  finish() {
    this.clock(false);
    $("place").textContent = "Finished";
    $("progress").value = $("progress").max = this.trials.length;
    this.farewell();
    screen("done");
  }
  farewell() {
    const open = this.trials.filter(trial => !this.complete(trial)).length;
    $("done-text").textContent = (open ? `${plural(open, "question")} still open. ` : "")
      + (this.backend.isDisk ? "Download your answers and hand over the file." : this.backend.safe
        ? "Your answers are saved; you can close this page."
        : "Some answers are not saved yet. Leave this page open until it says so.");
  }
  pause() {
    playing.stop();
    this.clock(false);
    $("paused-text").textContent = this.backend.isDisk
      ? `Your answers are kept in this browser. Open this file in it again and give the name “${this.name}” to go on, or download them now.`
      : `You can close this page. Open it again and give the name “${this.name}” to go on.`;
    screen("paused");
  }
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || $("trial").hidden) return;
    const on = event.target instanceof Element ? event.target.closest("button, input, a, summary") : null;
    const key = event.key.toLowerCase();
    const card = this.cards[this.current];
    if (/^[1-9]$/.test(key) && this.cards[Number(key) - 1]) {
      this.choose(Number(key) - 1);
      this.cards[this.current].player.toggle();
    } else if (key === " " && !on) {
      card.player.toggle();
    } else if (key === "enter" && !on) {
      this.next();
    } else if (this.best ? key === "b" : ["f", "n", "c"].includes(key)) {
      const number = this.current, [verdict, words] = this.best ? ["best", "the best"] : JUDGED.find(one => one[2] === key);
      this.answer(number, verdict);
      if (!this.told && this.answers.get(this.trial.id)?.get(card.clip)?.verdict === verdict) {
        $("verdict").textContent = `Clip ${number + 1}: ${words.toLowerCase()}.`;  // nothing else tells a screen reader
      }
      const open = this.cards.findIndex(one => !this.answers.get(this.trial.id)?.has(one.clip));
      if (!this.best && open >= 0) this.choose(open);
    } else return;
    event.preventDefault();
  }
}

function screen(name, focus) {
  for (const section of document.querySelectorAll("main > section")) section.hidden = section.id !== name;
  $("bar").hidden = ["welcome", "level"].includes(name);
  $("pause").hidden = name !== "trial";
  scrollTo(0, 0);
  (focus ?? $(name).querySelector("h1")).focus({preventScroll: true});
}

// --- the beginning -------------------------------------------------------------------------------------------------------

function welcome(backend) {
  const {study, minutes} = backend.study;
  const count = study.trials.filter(trial => trial.kind !== "practice").length, clips = study.trials[0].clips.length;
  $("asked").textContent = study.mode === "best"
    ? `${plural(count, "question")} about sounds: in each you choose among ${clips} clips the one that a sentence fits best.`
    : `${plural(count, "question")} about sounds: in each you say of ${clips} clips whether a sentence fits them.`;
  $("length").textContent = `All of it takes about ${plural(minutes, "minute")}.`;
  $("private").textContent = backend.about;
  for (const [key, words] of [["1 … 9", "play or pause a clip"], ["Space", "play or pause the marked clip"],
    ...(study.mode === "best" ? [["B", "the marked clip is the best"]] : JUDGED.map(([, what, key]) => [key.toUpperCase(), `marked clip: ${what.toLowerCase()}`])),
    ["Enter", "next question"]]) $("key-list").append(make("dt", {textContent: key}), make("dd", {textContent: words}));
  const before = kept.get("reasonaudio:name");
  if (before) $("name").value = before;
  let begun = false;
  const enter = async again => {
    const name = $("name").value.trim();
    $("refused").textContent = "";
    if (!name) { $("refused").textContent = "Give a name first; any will do."; $("name").focus(); return; }
    if (begun) return;
    begun = true;
    try {
      const told = await backend.enter(name, again);
      if ("taken" in told) {
        $("again-text").textContent = `Somebody called “${name}” has begun, with ${plural(told.taken, "answer")}. Is that you?`;
        $("again").hidden = false;
        $("enter").hidden = true;
        $("again-yes").focus();
      } else {
        kept.set("reasonaudio:name", told.name);
        begin(backend, new Session(backend, told));
        return;
      }
    } catch (error) {
      $("refused").textContent = error instanceof TypeError ? "The server does not answer. Is it still running?" : error.message;
    }
    begun = false;
  };
  $("enter").addEventListener("submit", event => { event.preventDefault(); enter(false); });
  $("again-yes").addEventListener("click", () => enter(true));
  $("again-no").addEventListener("click", () => {
    $("again").hidden = true;
    $("enter").hidden = false;
    $("name").value = "";
    $("name").focus();
  });
  screen("welcome");
}

function begin(backend, session) {
  backend.onstate = (state, words) => {
    $("saved").textContent = words;
    $("saved").classList.toggle("waiting", state === "waiting");
    if (!$("done").hidden) session.farewell();
  };
  const sample = new Player(backend, backend.study.sample, "the sample", backend.study.seconds);
  $("sample").replaceChildren(sample.element);
  $("level-next").addEventListener("click", () => {
    sample.release();
    session.show();
  });
  $("next").addEventListener("click", () => session.next());
  $("back").addEventListener("click", () => session.back());
  $("pause").addEventListener("click", () => session.pause());
  $("resume").addEventListener("click", () => session.show());
  $("review").addEventListener("click", () => { session.at = session.trials.length - 1; session.show(); });
  for (const button of document.querySelectorAll(".download")) {
    button.hidden = !backend.isDisk;
    button.addEventListener("click", () => backend.download());
  }
  document.addEventListener("keydown", event => session.key(event));
  addEventListener("beforeunload", event => { if (!backend.safe) event.preventDefault(); });
  screen("level");
}

async function open() {
  const data = $("study-data");
  try {
    welcome(data ? new Disk(JSON.parse(data.textContent), JSON.parse($("media-data").textContent)) : await Server.open());
  } catch (error) {
    $("broken").textContent = `The questions cannot be loaded (${error.message}). Load the page again.`;
  }
}
open();
})();
