// Lets the user choose a digit and a place in form#move by tapping, dragging or keys. Without script
// the same form is filled in by hand.
//
// [data-digit="7"] is the label of a digit, [data-spot="a"] that of a place (a to h, L, R, hand),
// [data-calls="7"] the list of calls with a digit, #play the button that plays.

import { say } from './page.js'

const form = () => document.getElementById('move')
const chosen = name => form()?.querySelector(`input[name="${name}"]:checked`)
const calls = () => {
  const d = chosen('digit')
  return d && form().querySelector(`[data-calls="${d.value}"], .call.typed`)
}

/** The settings, saved in the browser. */
export const settings = {
  get tap() { return setting('tap') },
  get keys() { return setting('keys') },
}

function setting(name) {
  return document.getElementById('set-' + name)?.checked ?? true
}

const boxes = '#settings input, #set-side'
const keep = box => box.id.replace(/^(set-)?/, 'duel-')

function restore() {
  for (const box of document.querySelectorAll(boxes)) {
    try { box.checked = (localStorage.getItem(keep(box)) ?? (box.defaultChecked ? 'on' : 'off')) === 'on' } catch { /* no storage: keep the default */ }
  }
}

const call = () => chosen('digit') && chosen('call' + chosen('digit').value)

/** Reports whether the choice is complete: a digit, a place and, where there are calls, one of them or none. */
const ready = () => !!chosen('digit') && !!chosen('spot') && (!calls() || calls().matches('.typed') || !!call())

function play() {
  if (ready()) form()?.requestSubmit(document.getElementById('play'))
}

/** Plays when the choice is complete, except where it should be confirmed: with calls, and in puzzles. */
function playIfClear() {
  if (chosen('digit') && chosen('spot') && !calls() && !form().hasAttribute('data-plain')) play()
}

function choose(id) {
  const input = document.getElementById(id)
  if (!input || !form()?.contains(input)) return false
  input.checked = true
  input.focus({ preventScroll: true })
  input.dispatchEvent(new Event('change', { bubbles: true }))
  return true
}

const show = (at, text) => { if (at && at.textContent !== text) at.textContent = text }

/** Shows the next step: choosing a place for the picked digit, or another call. */
function ask() {
  const felt = document.getElementById('felt'), turn = document.getElementById('turn'), more = document.getElementById('more')
  if (!more) return
  clearTimeout(flashing)
  felt.classList.remove('flash')
  for (const at of [turn, more]) at.dataset.idle ??= at.textContent
  const digit = chosen('digit'), number = call()?.value, words = number && calls().dataset
  show(turn, !number ? turn.dataset.idle : number === 'no' ? words.none : words.called.replace('#', number))
  show(more, felt.dataset.kept || (!number ? digit?.closest('label').dataset.ask || more.dataset.idle : number === 'no' ? words.back : words.change))
}

let flashing

/** Shows a short message instead of the next step, for a moment or until something is chosen. */
function flash(text) {
  ask()
  show(document.getElementById('more'), text)
  document.getElementById('felt').classList.add('flash')
  say(text)
  flashing = setTimeout(ask, 3000)
}

/** Labels the button with the move, and shows the next step. */
export function label() {
  ask()
  document.getElementById('felt')?.classList.toggle('slow', !settings.tap)
  restore()
  const button = document.getElementById('play')
  if (!button || form().hasAttribute('data-plain')) return
  const digit = chosen('digit'), spot = chosen('spot'), number = call()?.value
  button.setAttribute('aria-disabled', !ready())
  if (!ready()) show(button, digit && button.dataset.wait || button.dataset.idle)
  else if (number) show(button, calls().dataset.put + (number === 'no' ? ', no call' : ', call ' + number))
  else show(button, spot.closest('label').dataset.put.replace('#', digit.value))
}

export function clear() {
  for (const input of form()?.querySelectorAll('input[type=radio]') ?? []) input.checked = input.defaultChecked
  label()
}

/** Reports whether a choice has been started. */
export const choosing = () => !!chosen('digit')

// Dragging.

let drag

function start(e) {
  const tile = e.target.closest('#move [data-digit]')
  if (tile && e.isPrimary && e.button === 0) drag = { tile, id: e.pointerId, x: e.clientX, y: e.clientY }
}

const targetAt = e => document.elementFromPoint(e.clientX, e.clientY)?.closest('#move [data-spot], #move .board')

function pull(e) {
  if (!drag || e.pointerId !== drag.id) return
  const dx = e.clientX - drag.x, dy = e.clientY - drag.y
  if (!drag.ghost) {
    if (Math.hypot(dx, dy) < 8) return
    drag.tile.querySelector('input').checked = true
    label()
    const box = drag.tile.getBoundingClientRect()
    const ghost = drag.tile.querySelector('.face').cloneNode(true)
    ghost.className = 'face drag'
    ghost.setAttribute('aria-hidden', 'true')
    Object.assign(ghost.style, { left: box.left + 'px', top: box.top + 'px', width: box.width + 'px', height: box.height + 'px' })
    document.body.append(ghost)
    drag.ghost = ghost
    drag.tile.setPointerCapture(e.pointerId)
  }
  drag.ghost.style.transform = `translate(${dx}px, ${dy}px) scale(1.06)`
  const over = spotOf(targetAt(e))
  if (over !== drag.over) {
    drag.over?.classList.remove('over')
    over?.classList.add('over')
    drag.over = over
  }
}

/** Returns the place under a dropped digit, or the only place of the number under it. */
function spotOf(target) {
  if (!target || target.matches('[data-spot]')) return target
  const spots = target.querySelectorAll('[data-spot]')
  return spots.length === 1 ? spots[0] : null
}

function drop(e) {
  if (!drag || e.pointerId !== drag.id) return
  const { ghost, over } = drag
  drag = null
  over?.classList.remove('over')
  ghost?.remove()
  if (e.type !== 'pointerup' || !over) return
  over.querySelector('input').checked = true
  label()
  playIfClear()
}

// Keys.

function key(e) {
  if (!settings.keys || e.ctrlKey || e.metaKey || e.altKey || e.isComposing) return
  if (e.target.closest('input:not([type=radio]), select, textarea, dialog')) return
  const radio = e.target.matches('input[type=radio]')
  if (e.key === '?') {
    open(new URL('../../help', import.meta.url), '_blank', 'noopener')
  } else if (!form()) {
    if (e.key === 'u') document.querySelector('#acts [data-act=undo]')?.click()
    return
  } else if (e.key === 'Escape') {
    clear()
  } else if (e.key === 'Enter') {
    if (e.target.closest('button, a, summary')) return
    play()
  } else if (!radio && (e.key === 'ArrowLeft' || e.key === 'ArrowRight')) {
    move(e.key === 'ArrowLeft' ? -1 : 1)
  } else if (!letter(e.key.toLowerCase())) {
    return
  }
  e.preventDefault()
}

/** Selects the next place. */
function move(by) {
  const spots = [...form().querySelectorAll('input[name=spot]')]
  if (!spots.length) return
  const at = spots.findIndex(s => s.checked)
  choose(spots[at < 0 ? (by > 0 ? 0 : spots.length - 1) : (at + by + spots.length) % spots.length].id)
}

/** Handles the key of a digit or a place. A letter that is both means the digit until one is chosen. */
function letter(k) {
  const place = () => choose('spot-' + k) || choose('spot-' + k.toUpperCase()) || k === 'h' && choose('spot-hand')
  if (k.length !== 1) return false
  if (chosen('digit') && /[a-h]/.test(k) && place()) return true
  if (choose('digit-' + k) || place()) return true
  if (form().querySelector(`[data-gone="${CSS.escape(k)}"]`)) return flash(document.getElementById('pool').dataset.taken.replace('#', k)), true
  if (k !== 'u') return false
  document.querySelector('#acts [data-act=undo]')?.click()
  return true
}

/** Closes the menu after a tap outside, Escape, or one of its commands. */
function closeMenu(e) {
  const menu = document.getElementById('menu')
  if (!menu?.open || e.type === 'pointerdown' && menu.contains(e.target) || e.type === 'submit' && !menu.contains(e.target)) return
  if (e.type === 'keydown') {
    if (e.key !== 'Escape') return
    menu.querySelector('summary').focus()
    e.stopPropagation()
  }
  for (const d of [menu, ...menu.querySelectorAll('details')]) d.open = false
}

/** Sets up the page once; the form may come and go. */
export function setUp() {
  document.addEventListener('change', ({ target: box }) => {
    if (!box.matches(boxes)) return
    try { localStorage.setItem(keep(box), box.checked ? 'on' : 'off') } catch { /* no storage */ }
  })
  for (const kind of ['pointerdown', 'keydown', 'submit']) document.addEventListener(kind, closeMenu, true)
  document.addEventListener('change', e => {
    if (form()?.contains(e.target)) label()
  })
  document.addEventListener('click', e => {
    if (e.target.closest('#play[aria-disabled=true]')) e.preventDefault()
    // A click without a count comes from a keyboard or assistive technology: there the button plays.
    if (e.target.name === 'spot' && e.detail > 0 && settings.tap && form()?.contains(e.target)) playIfClear()
  })
  document.addEventListener('pointerdown', start)
  document.addEventListener('pointermove', pull)
  document.addEventListener('pointerup', drop)
  document.addEventListener('pointercancel', drop)
  document.addEventListener('keydown', key)
  label()
}
