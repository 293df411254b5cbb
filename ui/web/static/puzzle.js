// A puzzle is a turn: a tap proposes a move, and a button tries it. The form is posted without script.

import './page.js'
import { clear, setUp } from './board.js'

const felt = document.getElementById('felt'), form = document.getElementById('move')
const turn = document.getElementById('turn'), message = document.getElementById('message')
const play = document.getElementById('play')

const write = (at, text) => { if (at.textContent !== text) at.textContent = text }

/** Shows the chosen move, and what to do next. A verdict stays until the first choice. */
function show() {
  const digit = form.querySelector('[name=digit]:checked'), spot = form.querySelector('[name=spot]:checked')
  if (!digit && felt.classList.contains('wrong')) return
  felt.classList.remove('wrong')
  const box = digit && form.querySelector(`[data-calls="${digit.value}"]`), call = box?.querySelector(':checked')
  const move = !digit || !spot || box && !call ? ''
    : call && call.value !== '' && call.value !== 'no' ? box.dataset.put.replace('#', call.value)
      : call ? `${digit.value}, ${call.closest('label').textContent.trim().toLowerCase()}`
        : spot.closest('label').dataset.put.replace('#', digit.value)
  felt.classList.toggle('chosen', !!move)
  write(turn, move ? move + '?' : turn.dataset.idle)
  write(message, move ? message.dataset.else : digit?.closest('label').dataset.ask || message.dataset.idle)
  write(play, move ? play.dataset.put.replace('#', move) : play.dataset.idle)
}

setUp()
if (form) {
  document.querySelector('[data-act=change]').addEventListener('click', clear)
  for (const event of ['change', 'click', 'keydown', 'pointerup']) document.addEventListener(event, show)
}

// The time until the next puzzle.
const left = document.querySelector('[data-left]'), until = Date.now() + Number(left?.dataset.left)

if (left) {
  setInterval(() => {
    const minutes = Math.max(0, Math.ceil((until - Date.now()) / 60000))
    write(left, minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`)
  }, 10000)
}
