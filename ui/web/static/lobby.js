// Refreshes the lobby.

import './page.js'
import { morph } from './morph.js'

const lobby = document.getElementById('lobby')

setInterval(async () => {
  if (document.hidden) return
  try {
    const answer = await fetch(lobby.dataset.again, { cache: 'no-store' })
    if (!answer.ok) return
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('lobby')
    if (fresh) morph(lobby, fresh)
  } catch { /* try again next time */ }
}, 5000)
