// Steps through a game without reloading the page: by its links, and by the keys ← → Home End.

import './page.js'
import { morph } from './morph.js'
import { connect } from './live.js'

const replay = document.getElementById('replay')

async function go(url) {
  try {
    const answer = await fetch(url, { cache: 'no-store' })
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('replay')
    if (morph(replay, fresh)) document.querySelector('#plies a')?.focus({ preventScroll: true })
    history.replaceState(null, '', url)
  } catch {
    location.href = url
  }
}

replay?.addEventListener('click', e => {
  const link = e.target.closest('a[href*="?ply="]')
  if (!link || e.ctrlKey || e.metaKey || e.shiftKey) return
  e.preventDefault()
  go(link.href)
})

const keys = { ArrowLeft: 'prev', ArrowRight: 'next', Home: 'first', End: 'last' }

document.addEventListener('keydown', e => {
  if (!replay || !keys[e.key] || e.ctrlKey || e.metaKey || e.altKey || e.shiftKey || e.target.closest('.scroll')) return
  const link = replay.querySelector(`a[rel=${keys[e.key]}]`)
  if (!link) return
  e.preventDefault()
  go(link.href)
})

// A review opens at the turning point.

const turned = document.getElementById('turned')

if (turned && !location.hash) {
  turned.focus({ preventScroll: true })
  turned.scrollIntoView({ block: 'nearest' })
}

// A player who reads sees when the opponent is ready, and returns to the table when the next game begins.

const tableStatus = document.getElementById('table-status')

if (tableStatus) {
  let until = 0
  const setLeft = left => { until = Date.now() + left }
  setLeft(Number(tableStatus.dataset.left))
  setInterval(() => {
    const clock = document.getElementById('clock'), s = Math.max(0, Math.ceil((until - Date.now()) / 1000))
    const text = `0:${String(s).padStart(2, '0')}`
    if (clock && clock.textContent !== text) clock.textContent = text
  }, 250)
  connect(() => `${tableStatus.dataset.live}?after=${tableStatus.dataset.seq}`, {
    table(u) {
      const table = new DOMParser().parseFromString(u.html, 'text/html')
      tableStatus.dataset.seq = u.seq
      if (!table.querySelector('.over')) return location.assign(tableStatus.dataset.table)
      const next = table.getElementById('next')
      setLeft(u.left)
      tableStatus.replaceChildren(...next ? [next] : [])
    },
    people() {},
    state() {},
    ask() {},
  })
}
