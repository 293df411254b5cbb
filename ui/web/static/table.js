// The page of a table. Scripts and tests may rely on:
//
//   #table            the part that is sent again after each event; data-seq is the number of the last event shown
//   #status, #turn    the state of the game; #turn is its heading
//   form#move         present in the viewer's turn: [data-digit="7"], [data-spot="a"] (a to h, L, R, hand), [data-call="721"], #play
//   #board-1 #board-2 the numbers of the seats; [data-here="1"] reports whether a player is present
//   [data-act=…]      every button: the acts of the API, and play hint no-hint sit take review home log-out steps
//   #clock            the clock
//   #rules-link       opens #drawer with the rules; [data-act=close] in it
//   #say              announcements for screen readers; #alert, refusals; #net, a lost connection
//   #invite-link      the link for a friend while the seat is open; #watch-link, #my-link
//   html.js           script runs; #table[data-state=live|lost] the connection

import { say, warn, dress } from './page.js'
import { morphTo } from './morph.js'
import { setUp, label, choosing } from './board.js'
import { connect } from './live.js'
import { fit } from './drawer.js'
import { call } from './call.js'

const table = document.getElementById('table')
const net = document.getElementById('net')
const notices = document.getElementById('alert').dataset
let seq = Number(table.dataset.seq)
let hint = table.hasAttribute('data-hint')
let title = document.title
let kept // a move that could not be sent
let busy = false
let asked = 0 // the end for which the better move was asked
let late = '' // the note that another player took the seat, until a move is made

const myTurn = () => !!document.getElementById('move')

// The computer's answer is shown a moment after the player's own move. Nothing else waits, and the
// next update ends the wait.

const pause = 600 // ms
let played = false // a move was made here, and is not shown yet
let seen = 0 // when it was shown
let held, timer // the delayed answer

function receive(u) {
  reveal()
  u.at = Date.now()
  const wait = seen + pause - u.at
  if (!u.answer || wait <= 0 || document.hidden) return show(u)
  held = u
  timer = setTimeout(reveal, wait)
}

function reveal() {
  const u = held
  held = null
  clearTimeout(timer)
  if (u) show(u)
}

/** Shows the current table. */
function show(u) {
  if (u.seq < seq) return
  const turned = u.seq > seq && !myTurn()
  const offer = document.getElementById('sit')
  seq = u.seq
  table.dataset.seq = seq
  if (morphTo(table, u.html)) document.getElementById('status')?.focus({ preventScroll: true })
  dress(table)
  meet()
  label()
  fit()
  title = u.title
  entitle()
  if (turned && myTurn()) call(document.getElementById('turn').textContent, title)
  wind(u.left, u.at)
  if (played && !u.answer) seen = Date.now()
  played = false
  if (table.querySelector('.felt.lost') && !document.getElementById('turned') && asked !== seq) {
    asked = seq
    setTimeout(refresh, 1000)
  }
  if (offer && !offer.isConnected && !offer.sent) late = offer.dataset.taken
  if (document.querySelector('#moves li')) late = ''
  if (u.say || late) {
    warn(late, true)
    say(u.say)
  }
}

// Presence has its own messages, which are newer than the presence in the table.

let people

function meet() {
  people?.seats.forEach((text, i) => {
    const at = table.querySelector(`[data-here="${i + 1}"]`)
    if (!at || at.textContent === text) return
    at.textContent = text
    at.classList.toggle('vh', text === 'here') // as usual
  })
  const watchers = table.querySelector('[data-watchers]')
  if (people && watchers.textContent !== people.watchers) watchers.textContent = people.watchers
}

function entitle() {
  document.title = (document.hidden && myTurn() ? '● ' : '') + title
}

// The server keeps the clock; here it is only counted down.

let deadline = null, warned = ''

function wind(left, at = Date.now()) {
  deadline = left < 0 ? null : at + left
  tick()
}

function tick() {
  const clock = document.getElementById('clock')
  if (!clock || deadline === null) return
  const s = Math.max(0, Math.ceil((deadline - Date.now()) / 1000))
  const two = n => String(n).padStart(2, '0')
  const text = s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`
  if (clock.textContent !== text) clock.textContent = text
  clock.parentElement.classList.toggle('low', s <= 10)
  const mark = [30, 10, 5].find(m => s <= m && s > m - 3)
  if (mark && myTurn() && warned !== `${seq} ${mark}`) {
    warned = `${seq} ${mark}`
    say(table.dataset.hurry.replace('#', s))
  }
}

setInterval(tick, 250)

// Sending.

const headers = { 'X-Requested-With': 'duel' }

async function refresh() {
  try {
    const answer = await fetch(table.dataset.table + (hint ? '?hint=1' : ''), { headers, cache: 'no-store' })
    if (answer.ok) {
      show(await answer.json())
      return true
    }
    warn((await answer.json()).error)
  } catch { /* no connection, which is shown elsewhere */ }
  return false
}

async function post(url, body, isMove) {
  if (busy) return
  busy = true
  table.setAttribute('aria-busy', 'true')
  const before = seq
  played = isMove
  try {
    const answer = await fetch(url, { method: 'POST', body, headers, signal: AbortSignal.timeout?.(10_000) })
    kept = null
    if (answer.status === 204) {
      warn('')
      setTimeout(() => { if (seq === before) refresh() }, 1000) // if the stream does not bring it
    } else {
      const { error } = await answer.json()
      await refresh()
      warn(error)
    }
  } catch {
    if (isMove) {
      kept = { url, body }
      document.getElementById('felt').dataset.kept = notices.kept
      label()
      say(notices.kept)
    } else {
      warn(notices.unsent)
    }
    lost()
  } finally {
    busy = false
    table.removeAttribute('aria-busy')
  }
}

table.addEventListener('submit', e => {
  const form = e.target
  form.sent = true
  if (['sit', 'take', 'token'].includes(form.id)) return
  e.preventDefault()
  const body = new URLSearchParams(new FormData(form))
  if (e.submitter?.name) body.set(e.submitter.name, e.submitter.value)
  if (form.id === 'steps') document.documentElement.classList.add('versed') // requests in progress do not know it yet
  post(form.action, body, form.id === 'move')
})

table.addEventListener('click', e => {
  const link = e.target.closest('a[data-act=hint], a[data-act=no-hint]')
  if (!link || e.ctrlKey || e.metaKey || e.shiftKey) return
  e.preventDefault()
  hint = link.dataset.act === 'hint'
  history.replaceState(null, '', table.dataset.table + (hint ? '?hint=1' : ''))
  refresh().then(() => {
    if (hint) say(document.getElementById('hint')?.dataset.say)
    stream.again()
  })
})

// The connection.

let missing

function lost() {
  table.dataset.state = 'lost'
  missing ??= setTimeout(() => {
    net.hidden = false
    net.textContent = net.dataset.lost
  }, 1200)
}

function found() {
  table.dataset.state = 'live'
  clearTimeout(missing)
  missing = undefined
  net.hidden = true
  net.textContent = ''
  if (kept) {
    const { url, body } = kept
    kept = null
    post(url, body, true)
  }
}

/** Reloads the page once, in a quiet moment, when the server has a newer version. */
function renew(version) {
  if (version === document.documentElement.dataset.version || choosing() || document.activeElement?.matches('input')) return
  try {
    if (sessionStorage.getItem('duel-version') === version) return
    sessionStorage.setItem('duel-version', version)
  } catch { return }
  location.reload()
}

const stream = connect(() => `${table.dataset.live}?after=${seq}${hint ? '&hint=1' : ''}`, {
  table: receive,
  people(p) {
    people = p
    meet()
    if (p.seq === seq) wind(p.left)
    renew(p.version)
  },
  state: live => live ? found() : lost(),
  ask: refresh,
})

// The result of following a link is shown once, not on every return to the page.
if (new URLSearchParams(location.search).has('link')) history.replaceState(null, '', table.dataset.table)

document.addEventListener('visibilitychange', entitle)
document.addEventListener('pointerdown', () => { if (!document.querySelector('#alert.still')) warn('') })
setUp()
wind(Number(table.dataset.left))
