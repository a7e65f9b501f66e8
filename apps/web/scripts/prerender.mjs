import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createServer } from 'vite'

const ROOT_ELEMENT = '<div id="root"></div>'
const MEMBER_FILES = '/* member files */ []'
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

/** The files of a member's frame, which the pages fetch ahead for who is signed in. */
async function memberFiles(dist) {
  const manifest = JSON.parse(await readFile(path.join(dist, '.vite', 'manifest.json'), 'utf8'))
  const collect = (key, found) => {
    if (manifest[key] === undefined || found.has(manifest[key].file)) return found
    found.add(manifest[key].file)
    for (const next of manifest[key].imports ?? []) collect(next, found)
    return found
  }
  const first = collect('spa.html', new Set())
  const files = ['src/app/member-layout.tsx', 'src/app/session-gate.tsx'].flatMap((key) => [...collect(key, new Set())])
  if (files.length === 0) throw new Error('the manifest does not know the member layout')
  return [...new Set(files)].filter((file) => !first.has(file)).map((file) => `/${file}`)
}

/**
 * Draws the sign-in page into index.html with its CSS inline, and names the member's files in both pages.
 * @param root folder of the web app
 * @param dist folder of the built app
 */
export async function prerender(root, dist) {
  const files = JSON.stringify(await memberFiles(dist))
  const shell = await readPage(dist, 'index.html', files)
  const stylesheet = STYLESHEET.exec(shell)
  if (!shell.includes(ROOT_ELEMENT) || stylesheet === null) throw new Error('index.html has not the expected form')
  const css = (await readFile(path.join(dist, stylesheet[1]), 'utf8')).trim()
  const drawn = await drawSignIn(root)
  if (!drawn.includes('<form')) throw new Error('the sign-in page was not drawn')
  if (/ style="/.test(drawn)) throw new Error('the drawn page has style attributes, which the Content-Security-Policy forbids')
  if (css.includes('</style')) throw new Error('the stylesheet would end its own element')
  const page = shell.replace(stylesheet[0], () => `<style>${css}</style>`).replace(ROOT_ELEMENT, () => `<div id="root">${drawn}</div>`)
  await writeFile(path.join(dist, 'index.html'), page)
  await writeFile(path.join(dist, 'spa.html'), await readPage(dist, 'spa.html', files))
  await writeFile(path.join(dist, 'csp.json'), `${JSON.stringify(inlineHashes(page), null, 2)}\n`)
}
