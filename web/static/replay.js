// Goes through a game without loading the whole page anew: by its links, and by the keys ← → Home End.

import './page.js'
import { morph } from './morph.js'

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

replay.addEventListener('click', e => {
  const link = e.target.closest('a[href*="?ply="]')
  if (!link || e.ctrlKey || e.metaKey || e.shiftKey) return
  e.preventDefault()
  go(link.href)
})

const keys = { ArrowLeft: 'prev', ArrowRight: 'next', Home: 'first', End: 'last' }

document.addEventListener('keydown', e => {
  if (!keys[e.key] || e.ctrlKey || e.metaKey || e.altKey || e.shiftKey || e.target.closest('.scroll')) return
  const link = replay.querySelector(`a[rel=${keys[e.key]}]`)
  if (!link) return
  e.preventDefault()
  go(link.href)
})
