// Keeps the pages of a class current, and takes pupils to their games. #class holds the part that changes; on the page of a
// table or a review it only names the class.

import './page.js'
import { morph } from './morph.js'
import { connect } from './live.js'

const at = document.getElementById('class')
const go = () => { location.href = at.dataset.me }

let until = 0 // when the time is up

function wind() {
  until = Date.now() + Number(at.dataset.left)
  if ('soon' in at.dataset) setTimeout(look, 1000)
}

function tick() {
  const s = Math.max(0, Math.ceil((until - Date.now()) / 1000))
  const text = `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`
  for (const clock of at.querySelectorAll('.ticks')) if (clock.textContent !== text) clock.textContent = text
  if (at.dataset.me && !ended && over()) {
    ended = true
    setTimeout(go, 6000) // so that the end can be read
  }
}

/** Loads the page again; a redirect leads to a game. */
async function look() {
  try {
    const answer = await fetch(location.href, { cache: 'no-store' })
    if (new URL(answer.url).pathname !== location.pathname) return location.replace(answer.url)
    if (!answer.ok) return location.reload()
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('class')
    delete at.dataset.soon
    Object.assign(at.dataset, fresh.dataset)
    if (morph(at, fresh)) document.getElementById('main').focus({ preventScroll: true })
    wind()
  } catch { /* there is no connection; the stream asks again */ }
}

// The page of a table: the game ends while it is looked at, or another one begins.

const over = () => document.querySelector('[data-act=class]')
let ended = !!over()

function follow({ you, ends, phase }) {
  until = Date.parse(ends)
  at.firstElementChild.hidden = !ends || phase !== 'playing' && phase !== 'paused'
  if (you?.table && you.table !== at.dataset.table) setTimeout(go, over() ? 6000 : 1500)
}

if (at) {
  wind()
  setInterval(tick, 500)
  connect(() => at.dataset.live, { class: at.dataset.me ? follow : look, table() {}, people() {}, state() {}, ask: () => at.dataset.me || look() })
}
