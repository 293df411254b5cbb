// The rules beside the table, which goes on: #rules-link opens #drawer, below what says whose turn it is. They are those of the
// page of rules, and are asked for again only when the game has others.

import { warn } from './page.js'

const link = document.getElementById('rules-link')
const drawer = document.getElementById('drawer')
let told // where what is in the drawer comes from

async function open() {
  const from = document.getElementById('felt').dataset.rules
  if (told !== from) {
    try {
      const answer = await fetch(from)
      if (!answer.ok) throw new Error(answer.statusText)
      const page = document.createElement('template')
      page.innerHTML = await answer.text()
      drawer.lastElementChild.replaceChildren(page.content.getElementById('rules'))
    } catch {
      warn(drawer.dataset.lost)
      return
    }
    told = from
  }
  drawer.show()
  fit()
  document.getElementById('drawer-name').focus()
}

function close() {
  drawer.close()
  link.focus()
}

/** Keeps whose turn it is, and the clock, in sight: the drawer begins below. */
export function fit() {
  const say = drawer.open && document.querySelector('#felt > .say')
  if (say) drawer.style.setProperty('--below', Math.min(say.getBoundingClientRect().bottom, innerHeight * .65) + 'px')
}

link.addEventListener('click', e => {
  if (e.ctrlKey || e.metaKey || e.shiftKey) return
  e.preventDefault()
  if (drawer.open) close()
  else open()
})
drawer.addEventListener('click', e => { if (e.target.closest('[data-act=close]')) close() })
addEventListener('keydown', e => {
  if (e.key !== 'Escape' || !drawer.open) return
  e.stopPropagation()
  e.preventDefault()
  close()
}, true)
addEventListener('resize', fit)
