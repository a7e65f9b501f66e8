import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createServer } from 'vite'
import { memberRoutes, notFound, publicRoutes } from '../src/app/page-routes.ts'
import { filesOf, FRAME, keyOf, screenKey } from './budgets.mjs'

const ROOT_ELEMENT = '<div id="root"></div>'
const FRAME_PLACEHOLDER = '<!-- frame -->'
const MEMBER_FILES = '/* member files */ []'
/** Placeholder of the platform's name in the prerendered page. The server replaces it (sign-in.html). */
const BRAND = '%BRAND%'
const DEFAULT_BRAND = 'Tizara'
const STYLESHEET = /<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/

/** Renders the sign-in page and the frame of a member's page as HTML, from the source of the app. */
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
  if (!html.includes(MEMBER_FILES)) throw new Error(`${name} has no placeholder for the member files`)
  return html.replace(MEMBER_FILES, () => files)
}

/** Returns the hashes of a page's inline blocks, in the form of a Content-Security-Policy. */
function inlineHashes(html) {
  const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const blocks = (pattern) => [...html.matchAll(pattern)].map((match) => hash(match[1]))
  return {
    script: blocks(/<script>([\s\S]*?)<\/script>/g),
    style: blocks(/<style>([\s\S]*?)<\/style>/g),
  }
}

const readManifest = async (dist) => JSON.parse(await readFile(path.join(dist, '.vite', 'manifest.json'), 'utf8'))

/** Returns the files of the member frame, which pages preload for a signed-in member. */
async function memberFiles(dist) {
  const manifest = await readManifest(dist)
  const first = filesOf(manifest, 'spa.html')
  const frame = filesOf(manifest, keyOf(manifest, FRAME))
  return [...frame].filter((file) => !first.has(file)).map((file) => `/${file}`)
}

/**
 * Returns the additional files of each screen. The server lists them in the page, so that they load in parallel with the app
 * instead of after it.
 */
async function screenFiles(dist) {
  const manifest = await readManifest(dist)
  const first = filesOf(manifest, 'spa.html')
  const frame = filesOf(manifest, keyOf(manifest, FRAME))
  const found = {}
  const list = (routes, guard, loaded) => {
    for (const { path: url, screen, group = 'lists' } of routes) {
      // The sign-in page is complete.
      if (screen === 'auth/sign-in') continue
      const more = [...filesOf(manifest, screenKey(screen))].filter((name) => !loaded.has(name))
      if (more.length === 0) throw new Error(`${url} has no files`)
      found[url] = { guard, group, files: more.map((name) => `/${name}`) }
    }
  }
  list([...publicRoutes, notFound], 'public', first)
  list(memberRoutes, 'member', new Set([...first, ...frame]))
  return found
}

/** Inlines the stylesheet into a page, because the first paint and inline scripts would wait for a separate file. */
async function inlineStyles(dist, html) {
  const stylesheet = STYLESHEET.exec(html)
  if (stylesheet === null) throw new Error('a page has no stylesheet')
  const css = (await readFile(path.join(dist, stylesheet[1]), 'utf8')).trim()
  if (css.includes('</style')) throw new Error('the stylesheet would end its own element')
  return html.replace(stylesheet[0], () => `<style>${css}</style>`)
}

/** Renders the sign-in page into index.html and the member frame into spa.html, with inline CSS and the list of member files. */
export async function prerender(root, dist) {
  const files = JSON.stringify(await memberFiles(dist))
  const shell = await inlineStyles(dist, await readPage(dist, 'index.html', files))
  if (!shell.includes(ROOT_ELEMENT)) throw new Error('index.html has an unexpected form')
  const { drawn, frame } = await drawPages(root)
  if (!drawn.includes('<form')) throw new Error('the sign-in page was not rendered')
  if (/ style="/.test(drawn + frame))
    throw new Error('the prerendered page has style attributes, which the Content-Security-Policy forbids')
  const page = shell.replace(ROOT_ELEMENT, () => `<div id="root">${drawn}</div>`)
  if (!drawn.includes(BRAND)) throw new Error('the prerendered page has no placeholder for the name of the platform')
  await writeFile(path.join(dist, 'sign-in.html'), page.replace(`<title>${DEFAULT_BRAND}</title>`, `<title>${BRAND}</title>`))
  await writeFile(path.join(dist, 'index.html'), page.replaceAll(BRAND, DEFAULT_BRAND))
  const spa = await inlineStyles(dist, await readPage(dist, 'spa.html', files))
  if (!spa.includes(FRAME_PLACEHOLDER)) throw new Error('spa.html has no placeholder for the frame')
  await writeFile(
    path.join(dist, 'spa.html'),
    spa.replace(FRAME_PLACEHOLDER, () => frame),
  )
  await writeFile(path.join(dist, 'screens.json'), `${JSON.stringify(await screenFiles(dist), null, 2)}\n`)
  await writeFile(path.join(dist, 'csp.json'), `${JSON.stringify(inlineHashes(page + spa), null, 2)}\n`)
}
