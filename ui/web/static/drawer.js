// Shows the rules next to the table: #rules-link opens #drawer, below the heading with the turn. They
// come from the page of rules, and are loaded again only when the rules change.

import { warn } from './page.js'

const link = document.getElementById('rules-link')
const drawer = document.getElementById('drawer')
let loaded // the address of the rules in the drawer

/** Loads the style of the rules, which a table does not need before. */
function dressed() {
  if (document.getElementById('drawer-sheet')) return
  const sheet = Object.assign(document.createElement('link'), { id: 'drawer-sheet', rel: 'stylesheet', href: drawer.dataset.sheet })
  return new Promise((done, fail) => {
    sheet.onload = done
    sheet.onerror = () => { sheet.remove(); fail() }
    document.head.append(sheet)
  })
}

async function open() {
  const from = document.getElementById('felt').dataset.rules
  if (loaded !== from) {
    try {
      await dressed()
      const answer = await fetch(from)
      if (!answer.ok) throw new Error(answer.statusText)
      const page = document.createElement('template')
      page.innerHTML = await answer.text()
      drawer.lastElementChild.replaceChildren(page.content.getElementById('rules'))
    } catch {
      warn(drawer.dataset.lost)
      return
    }
    loaded = from
  }
  drawer.show()
  fit()
  document.getElementById('drawer-name').focus()
}

function close() {
  drawer.close()
  link.focus()
}

/** Keeps the turn and the clock in sight: the drawer begins below them. */
export function fit() {
  const say = drawer.open && document.getElementById('status')
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
