import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createServer } from 'vite'

const ROOT_ELEMENT = '<div id="root"></div>'
const STYLESHEET = /<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/

/** The sign-in page as HTML, from the app's own source. */
async function drawSignIn(root) {
  const server = await createServer({
    configFile: path.join(root, 'vite.config.ts'),
    mode: 'production',
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
  })
  try {
    const { renderSignIn } = await server.ssrLoadModule('/src/app/ssr.tsx')
    return await renderSignIn()
  } finally {
    await server.close()
  }
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

/**
 * Draws the sign-in page into index.html with its CSS inline.
 * @param root folder of the web app
 * @param dist folder of the built app
 */
export async function prerender(root, dist) {
  const shell = await readFile(path.join(dist, 'index.html'), 'utf8')
  const stylesheet = STYLESHEET.exec(shell)
  if (!shell.includes(ROOT_ELEMENT) || stylesheet === null) throw new Error('index.html has not the expected form')
  const css = (await readFile(path.join(dist, stylesheet[1]), 'utf8')).trim()
  const drawn = await drawSignIn(root)
  if (!drawn.includes('<form')) throw new Error('the sign-in page was not drawn')
  if (/ style="/.test(drawn)) throw new Error('the drawn page has style attributes, which the Content-Security-Policy forbids')
  if (css.includes('</style')) throw new Error('the stylesheet would end its own element')
  const page = shell
    .replace(stylesheet[0], () => `<style>${css}</style>`)
    .replace(ROOT_ELEMENT, () => `<div id="root">${drawn}</div>`)
  await writeFile(path.join(dist, 'index.html'), page)
  await writeFile(path.join(dist, 'csp.json'), `${JSON.stringify(inlineHashes(page), null, 2)}\n`)
}
