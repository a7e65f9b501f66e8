import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createServer } from 'vite'
import { memberPlaces, notFound, publicPlaces } from '../src/app/places.ts'
import { filesOf, FRAME, keyOf, screenKey } from './budgets.mjs'

const ROOT_ELEMENT = '<div id="root"></div>'
const FRAME_PLACE = '<!-- frame -->'
const MEMBER_FILES = '/* member files */ []'
/** Where the house's name stands in the drawn page: the server of the pages fills it in (sign-in.html). */
const BRAND = '%BRAND%'
const DEFAULT_BRAND = 'Tizara'
const STYLESHEET = /<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/

/** The sign-in page and the frame of a member's page as HTML, from the app's own source. */
async function drawPages(root) {
  const server = await createServer({
    configFile: path.join(root, 'vite.config.ts'),
    mode: 'production',
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
  })
  try {
    const { renderFrame, renderSignIn } = await server.ssrLoadModule('/src/app/ssr.tsx')
    return { drawn: await renderSignIn(BRAND), frame: await renderFrame() }
  } finally {
    await server.close()
  }
}

async function readPage(dist, name, files) {
  const html = await readFile(path.join(dist, name), 'utf8')
  if (!html.includes(MEMBER_FILES)) throw new Error(`${name} has no place for the member's files`)
  return html.replace(MEMBER_FILES, () => files)
}

/** Hashes of the inline blocks of a page, as a Content-Security-Policy takes them. */
function inlineHashes(html) {
  const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const blocks = (pattern) => [...html.matchAll(pattern)].map((match) => hash(match[1]))
  return {
    script: blocks(/<script>([\s\S]*?)<\/script>/g),
    style: blocks(/<style>([\s\S]*?)<\/style>/g),
  }
}

const readManifest = async (dist) => JSON.parse(await readFile(path.join(dist, '.vite', 'manifest.json'), 'utf8'))

/** The files of a member's frame, which the pages fetch ahead for who is signed in. */
async function memberFiles(dist) {
  const manifest = await readManifest(dist)
  const first = filesOf(manifest, 'spa.html')
  const frame = filesOf(manifest, keyOf(manifest, FRAME))
  return [...frame].filter((file) => !first.has(file)).map((file) => `/${file}`)
}

/**
 * The files that each place's screen needs besides the first ones and a member's frame, for the server to name in the
 * page: they are fetched beside the app instead of after it.
 */
async function screenFiles(dist) {
  const manifest = await readManifest(dist)
  const first = filesOf(manifest, 'spa.html')
  const frame = filesOf(manifest, keyOf(manifest, FRAME))
  const found = {}
  const list = (places, guard, there) => {
    for (const { path: place, screen } of places) {
      // The sign-in page comes whole.
      if (screen === 'auth/sign-in') continue
      const later = [...filesOf(manifest, screenKey(screen))].filter((name) => !there.has(name))
      if (later.length === 0) throw new Error(`${place} has no files`)
      found[place] = { guard, files: later.map((name) => `/${name}`) }
    }
  }
  list([...publicPlaces, notFound], 'public', first)
  list(memberPlaces, 'member', new Set([...first, ...frame]))
  return found
}

/** Puts the stylesheet into a page: nothing is painted before it is there, and no script in the page runs. */
async function inlineStyles(dist, html) {
  const stylesheet = STYLESHEET.exec(html)
  if (stylesheet === null) throw new Error('a page has no stylesheet')
  const css = (await readFile(path.join(dist, stylesheet[1]), 'utf8')).trim()
  if (css.includes('</style')) throw new Error('the stylesheet would end its own element')
  return html.replace(stylesheet[0], () => `<style>${css}</style>`)
}

/** Draws the sign-in page into index.html and a member's frame into spa.html, with the CSS inline, and names the member's files in both. */
export async function prerender(root, dist) {
  const files = JSON.stringify(await memberFiles(dist))
  const shell = await inlineStyles(dist, await readPage(dist, 'index.html', files))
  if (!shell.includes(ROOT_ELEMENT)) throw new Error('index.html has not the expected form')
  const { drawn, frame } = await drawPages(root)
  if (!drawn.includes('<form')) throw new Error('the sign-in page was not drawn')
  if (/ style="/.test(drawn + frame)) throw new Error('the drawn page has style attributes, which the Content-Security-Policy forbids')
  const page = shell.replace(ROOT_ELEMENT, () => `<div id="root">${drawn}</div>`)
  if (!drawn.includes(BRAND)) throw new Error('the drawn page has no place for the name of the house')
  await writeFile(path.join(dist, 'sign-in.html'), page.replace(`<title>${DEFAULT_BRAND}</title>`, `<title>${BRAND}</title>`))
  await writeFile(path.join(dist, 'index.html'), page.replaceAll(BRAND, DEFAULT_BRAND))
  const spa = await inlineStyles(dist, await readPage(dist, 'spa.html', files))
  if (!spa.includes(FRAME_PLACE)) throw new Error('spa.html has no place for the frame')
  await writeFile(
    path.join(dist, 'spa.html'),
    spa.replace(FRAME_PLACE, () => frame),
  )
  await writeFile(path.join(dist, 'screens.json'), `${JSON.stringify(await screenFiles(dist), null, 2)}\n`)
  await writeFile(path.join(dist, 'csp.json'), `${JSON.stringify(inlineHashes(page + spa), null, 2)}\n`)
}
