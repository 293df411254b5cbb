// The service worker of a server whose visitor keeps the game: when a page cannot be loaded, the
// offline site takes over. It handles nothing but loading pages.
const offline = new URL('offline/', registration.scope)

addEventListener('fetch', event => {
  const { method, mode, url } = event.request
  if (method !== 'GET' || mode !== 'navigate' || url.startsWith(offline.href)) return
  event.respondWith(fetch(event.request).catch(() => Response.redirect(offline.href)))
})
