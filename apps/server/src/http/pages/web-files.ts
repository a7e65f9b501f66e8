import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import { languagesOf, offeredOf } from '../../platform/config/languages.ts'
import { otherBuilds } from '../../platform/runtime/release.ts'
import { compressed, type ReadyPage } from './ready-page.ts'
import { brandHead, brandStyle, escapeHtml as escape, withFoot } from './brand-page.ts'
import { contentSecurityPolicy } from '../server/security-headers.ts'
import { addWebAssets } from './web-assets.ts'

const DIST = fileURLToPath(new URL('../../../../web/dist/', import.meta.url))
/** Placeholder of the platform's name in the prerendered sign-in page. */
const BRAND = '%BRAND%'
/** Entry page of the staff console, separate from the member app (GN-04). */
const STAFF = '/staff'
/** Offline verifier for balance proofs. It is served as a download, so that it never runs on this origin. */
const PROOF_CHECKER = 'proof-checker.html'
/** Target of signed-in members who open the sign-in page. */
const HOME = '/dashboard'

/** Lazy chunks of each route, from the build manifest. */
type Screens = Readonly<Record<string, { guard: 'public' | 'member'; files: readonly string[] }>>

/**
 * Serves the built web app: hashed assets, pages with the Content Security Policy, and the start page for all other paths, because the app
 * has its own router (RT-58). Each page preloads the code of its screen.
 * @param config addresses and names for the pages' meta tags
 * @param others folders of other builds, whose hashed files are served too
 * @returns false if the web app was not built
 */
export async function addWebFiles(app: FastifyInstance, config: Config, dist = DIST, others = otherBuilds): Promise<boolean> {
  if (!existsSync(path.join(dist, 'index.html'))) return false
  const pagesOf = readPages(config, dist)
  await app.register(fastifyStatic, {
    root: dist,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['**/*.html', '**/*.json', '**/*.br', '**/*.gz', '**/.vite/**', 'assets/**'],
    setHeaders: (response, file) => {
      response.header(
        'Cache-Control',
        file.includes(`${path.sep}assets${path.sep}`) ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      )
    },
  })
  addWebAssets(app, dist, () => others(dist))
  const send = (request: FastifyRequest, reply: FastifyReply) => {
    const { policy, pageOf } = pagesOf()
    const page = pageOf(request.url.split('?', 1)[0] ?? '/')
    void reply
      .type('text/html; charset=utf-8')
      .headers({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache', Vary: 'Origin, Accept-Encoding', ETag: page.etag })
    if (request.headers['if-none-match'] === page.etag) return reply.code(304).send()
    const body = page.bodyFor(request.headers['accept-encoding'])
    if (body.encoding !== undefined) void reply.header('Content-Encoding', body.encoding)
    return reply.send(body.bytes)
  }
  const checker = path.join(dist, PROOF_CHECKER)
  if (existsSync(checker)) {
    const bytes = readFileSync(checker)
    app.get(`/${PROOF_CHECKER}`, (_, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .headers({ 'Content-Disposition': `attachment; filename="${PROOF_CHECKER}"`, 'Cache-Control': 'no-cache' })
        .send(bytes),
    )
  }
  app.get('/', { exposeHeadRoute: true }, send)
  app.get('/auth/signin', { exposeHeadRoute: true }, send)
  app.get('/*', { exposeHeadRoute: true }, (request, reply) => {
    const isPage = !/^\/(api|invoice-api|assets|brand|health|metrics|sandbox)(\/|$|\?)/.test(request.url)
    return isPage ? send(request, reply) : reply.callNotFound()
  })
  return true
}

/** Pages with one brand, and their Content Security Policy. */
interface Pages {
  policy: string
  pageOf: (pathname: string) => ReadyPage
}

/** Returns the pages with the brand in force. A page is built at its first request and cached by route until the brand changes. */
function readPages(config: Config, dist: string): () => Pages {
  const read = (name: string) => (existsSync(path.join(dist, name)) ? readFileSync(path.join(dist, name), 'utf8') : undefined)
  const hashes = JSON.parse(read('csp.json') ?? '{}') as { script?: string[]; style?: string[] }
  const screens = JSON.parse(read('screens.json') ?? '{}') as Screens
  const signIn = read('sign-in.html') ?? read('index.html') ?? ''
  const shell = read('spa.html') ?? signIn
  const prerendered = new Map([
    ['/', signIn],
    [STAFF, read('staff.html') ?? shell],
  ])
  const build = (): Pages => {
    const ready = new Map<string, ReadyPage>()
    const style = brandStyle(config.brand)
    const ownHashes = style === '' ? [] : [`'sha256-${createHash('sha256').update(style).digest('base64')}'`]
    return {
      policy: contentSecurityPolicy(config, { script: hashes.script ?? [], style: [...(hashes.style ?? []), ...ownHashes] }),
      pageOf(pathname) {
        const route = routeOf(screens, pathname)
        const found = ready.get(route)
        if (found !== undefined) return found
        const filled = finish(prerendered.get(route) ?? shell, config, screens[route === '/' ? HOME : route])
        const page = compressed(route === STAFF ? filled : withFoot(filled, config.brand))
        ready.set(route, page)
        return page
      },
    }
  }
  let pages = { version: config.brand.version, ...build() }
  return () => {
    if (pages.version !== config.brand.version) pages = { version: config.brand.version, ...build() }
    return pages
  }
}

/** Returns the route of a path as listed by the build: `/`, `/ticket/show/:id`, or `*` for unknown paths. */
function routeOf(screens: Screens, pathname: string): string {
  if (pathname === '/' || pathname === '/auth/signin') return '/'
  if (pathname === STAFF || pathname.startsWith(`${STAFF}/`)) return STAFF
  if (Object.hasOwn(screens, pathname)) return pathname
  const pattern = Object.keys(screens).find((route) => route.endsWith('/:id') && pathname.startsWith(route.slice(0, -':id'.length)))
  return pattern ?? '*'
}

/**
 * Adds the configuration as meta tags, because the policy forbids inline code. Also adds the route's chunks: public chunks as preloads,
 * chunks for members as a tag that the page preloads only if a session is stored.
 */
function finish(html: string, config: Config, screen: Screens[string] | undefined): string {
  const languages = languagesOf(config).offered.map(offeredOf)
  const values = {
    'api-base-url': config.apiBaseUrl,
    'invoice-base-url': config.invoiceBaseUrl,
    'brand-name': config.brand.name,
    'token-symbol': config.tokenSymbol,
    'allowed-email-domains': config.allowedEmailDomains.join(','),
    sandbox: config.sandbox ? 'on' : 'off',
    'usd-on-chain': config.chain?.usd === undefined ? 'off' : 'on',
    // Pages choose a language before their first text, without a call.
    ...(languages.length === 0 ? {} : { languages: JSON.stringify(languages) }),
    ...(screen?.guard === 'member' ? { 'screen-files': screen.files.join(' ') } : {}),
  }
  const tags = Object.entries(values).map(([name, content]) => `<meta name="${name}" content="${escape(content)}">`)
  if (screen?.guard === 'public') tags.push(...screen.files.map((file) => `<link rel="modulepreload" crossorigin href="${escape(file)}">`))
  return brandHead(html, config.brand)
    .replaceAll(BRAND, () => escape(config.brand.name))
    .replace('</head>', () => `${tags.join('')}</head>`)
}
