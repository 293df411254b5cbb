// The service worker of the offline site: it answers every request below its folder with the
// program, which keeps games in this browser. VERSION is the hash of everything in the folder.
const version = 'VERSION'
const scope = new URL(registration.scope)
const store = `duel ${scope.pathname} ${version}`
const program = new URL(`duel.${version}.wasm`, scope).href

importScripts(`wasm_exec.${version}.js`)

// fetchProgram downloads the program: as it is from a host that compresses, else as .gz.
async function fetchProgram() {
  const probe = await fetch(new URL('probe.wasm', scope), { cache: 'no-store' })
  const packed = !probe.headers.has('Content-Encoding')
  const answer = await fetch(program + (packed ? '.gz' : ''), { cache: 'no-store' })
  if (!answer.ok) throw new Error(`The host answered ${answer.status}.`)
  const total = +answer.headers.get('Content-Length')
  let seen = 0
  const counted = new TransformStream({
    transform(chunk, to) {
      seen += chunk.length
      report({ seen, total: packed ? total : 0 })
      to.enqueue(chunk)
    }
  })
  let body = answer.body.pipeThrough(counted)
  if (packed && !answer.headers.has('Content-Encoding')) body = body.pipeThrough(new DecompressionStream('gzip'))
  const cache = await caches.open(store)
  await cache.put(program, new Response(body, { headers: { 'Content-Type': 'application/wasm' } }))
}

// pages returns the open pages of this folder. Others of the same host are not its business.
async function pages() {
  const all = await clients.matchAll({ includeUncontrolled: true })
  return all.filter(page => page.url.startsWith(scope.href))
}

async function report(message) {
  for (const page of await pages()) page.postMessage(message)
}

let started
function start() {
  started ??= new Promise((resolve, reject) => {
    self.duelReady = (answer, failed) => answer ? resolve(answer) : reject(new Error(failed))
    run().catch(reject)
  }).catch(e => { started = undefined; throw e })
  return started
}

async function run() {
  const cache = await caches.open(store)
  if (!await cache.match(program)) await fetchProgram() // the browser may have cleared it
  const go = new Go()
  const { instance } = await WebAssembly.instantiateStreaming(await cache.match(program), go.importObject)
  go.run(instance).then(() => { started = undefined })
}

async function answer(request) {
  try {
    const headers = [...request.headers]
    if (request.mode !== 'navigate' && !request.headers.has('Origin')) headers.push(['Origin', scope.origin])
    if (request.method === 'POST' && !headers.some(([name]) => name.toLowerCase() === 'origin')) {
      return new Response('The request came from another site.\n', { status: 403 })
    }
    const body = request.method === 'POST' ? new Uint8Array(await request.arrayBuffer()) : new Uint8Array()
    return await (await start())(request.method, request.url, headers, body)
  } catch (e) {
    return new Response(`This page cannot be shown: ${e.message ?? e}\n`, { status: 500 })
  }
}

// A host whose policy for this file forbids WebAssembly is found out before the download.
async function install() {
  try {
    await WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))
    await fetchProgram()
  } catch (e) {
    await report({ failed: e.message })
    throw e
  }
}

addEventListener('install', event => event.waitUntil(install()))

addEventListener('activate', event => event.waitUntil((async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith(`duel ${scope.pathname} `) && name !== store) await caches.delete(name)
  }
  await clients.claim()
})()))

addEventListener('fetch', event => {
  const url = new URL(event.request.url)
  if (url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return
  const first = url.pathname === scope.pathname + 'index.html'
  event.respondWith(first ? Response.redirect(scope) : answer(event.request))
})

// A version never changes under a running game: it is used when no other page is open.
addEventListener('message', async event => {
  if (event.data !== 'use') return
  if ((await pages()).length > 1) event.source.postMessage({ busy: true })
  else skipWaiting()
})
