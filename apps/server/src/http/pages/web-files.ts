import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { addressOfGroup, type PageGroup, translator, type Translate } from '@tizara/languages'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import { type Language, languagesOf, offeredOf, requestLanguage } from '../../platform/config/languages.ts'
import { otherBuilds } from '../../platform/runtime/release.ts'
import { compressed, type ReadyPage } from './ready-page.ts'
import { brandHead, brandStyle, escapeHtml as escape, withFoot } from './brand-page.ts'
import { contentSecurityPolicy } from '../server/security-headers.ts'
import { addWebAssets } from './web-assets.ts'

const DIST = fileURLToPath(new URL('../../../../web/dist/', import.meta.url))
/** Choice of a language in the cookies of a request, as before-paint.js reads it. */
const LANGUAGE_COOKIE = /(?:^|; )language=([\w-]+)/
/** Placeholder of the platform's name in the prerendered sign-in page. */
const BRAND = '%BRAND%'
/** Title of pages that are not prerendered, until the app sets its own. */
const BUILT_TITLE = '<title>Tizara</title>'
const VARY = 'Origin, Accept-Encoding, Accept-Language, Cookie'
/** Entry page of the staff console, separate from the member app (GN-04). */
const STAFF = '/staff'
/** Offline verifier for balance proofs. It is served as a download, so that it never runs on this origin. */
const PROOF_CHECKER = 'proof-checker.html'
/** Search engines may read all pages, but make no calls. */
const ROBOTS = 'User-agent: *\nDisallow: /api/\n'
/** Target of signed-in members who open the sign-in page. */
const HOME = '/dashboard'
const ENGLISH = translator()

/** Lazy chunks of each route and the group of its texts, from the build. */
type Screens = Readonly<Record<string, { guard: 'public' | 'member'; group?: PageGroup; files: readonly string[] }>>

interface WebFilesOptions {
  dist?: string | undefined
  others?: (dist: string) => string[]
  hasTerms?: () => boolean
}

/**
 * Serves the built web app: hashed assets, and pages with the Content Security Policy. All other paths get the start page, because the app
 * has its own router (RT-58). Each page preloads the code of its screen.
 * @param config addresses and names for the pages' meta tags
 * @param options `others`: folders of other builds, whose hashed files are served too; `hasTerms`: whether new members accept terms of use
 * @returns false if the web app was not built
 */
export async function addWebFiles(
  app: FastifyInstance,
  config: Config,
  { dist = DIST, others = otherBuilds, hasTerms = () => false }: WebFilesOptions = {},
): Promise<boolean> {
  if (!existsSync(path.join(dist, 'index.html'))) return false
  const pagesOf = readPages(config, dist, hasTerms)
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
    const { cookie = '', 'accept-language': accepted } = request.headers
    const page = pageOf(request.url.split('?', 1)[0] ?? '/', requestLanguage(config, LANGUAGE_COOKIE.exec(cookie)?.[1], accepted))
    void reply
      .type('text/html; charset=utf-8')
      .headers({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache', Vary: VARY, ETag: page.etag })
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
  app.get('/robots.txt', (_, reply) => reply.type('text/plain; charset=utf-8').header('Cache-Control', 'public, max-age=300').send(ROBOTS))
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
  /** @param language undefined for English */
  pageOf: (pathname: string, language: Language | undefined) => ReadyPage
}

/**
 * Returns the pages with the brand in force. A page is built at its first request and cached by language and route, until the brand changes
 * or the first terms of use are in force.
 */
function readPages(config: Config, dist: string, hasTerms: () => boolean): () => Pages {
  const read = (name: string) => (existsSync(path.join(dist, name)) ? readFileSync(path.join(dist, name), 'utf8') : undefined)
  const hashes = JSON.parse(read('csp.json') ?? '{}') as { script?: string[]; style?: string[] }
  const screens = JSON.parse(read('screens.json') ?? '{}') as Screens
  const signIn = read('sign-in.html') ?? read('index.html') ?? ''
  const shell = read('spa.html') ?? signIn
  const prerendered = new Map([
    ['/', signIn],
    [STAFF, read('staff.html') ?? shell],
  ])
  const build = (version: number, withTerms: boolean) => {
    const ready = new Map<string, ReadyPage>()
    const style = brandStyle(config.brand)
    const ownHashes = style === '' ? [] : [`'sha256-${createHash('sha256').update(style).digest('base64')}'`]
    return {
      version,
      withTerms,
      policy: contentSecurityPolicy(config, { script: hashes.script ?? [], style: [...(hashes.style ?? []), ...ownHashes] }),
      pageOf(pathname: string, language: Language | undefined) {
        const route = routeOf(screens, pathname)
        const key = `${language?.language ?? ''} ${route}`
        const found = ready.get(key)
        if (found !== undefined) return found
        const filled = finish(prerendered.get(route) ?? shell, config, screens[route === '/' ? HOME : route], withTerms)
        const page = compressed(route === STAFF ? filled : withFoot(inLanguage(filled, language), config.brand, translateOf(language)))
        ready.set(key, page)
        return page
      },
    }
  }
  let pages = build(config.brand.version, hasTerms())
  return () => {
    const [version, withTerms] = [config.brand.version, hasTerms()]
    if (pages.version !== version || pages.withTerms !== withTerms) pages = build(version, withTerms)
    return pages
  }
}

const translateOf = (language: Language | undefined): Translate => language?.translate ?? ENGLISH

/** Translates the texts of a page that browsers without JavaScript and search engines read. English pages stay as they were built. */
function inLanguage(html: string, language: Language | undefined): string {
  if (language === undefined) return html
  const { translate: t } = language
  const attributes = `lang="${language.language}" dir="${language.direction}"`
  return html
    .replace(/<noscript>.*?<\/noscript>/, () => `<noscript ${attributes}>${escape(t('This app needs JavaScript.'))}</noscript>`)
    .replace(
      /(<meta name="description" content=")[^"]*/,
      (_, start: string) => `${start}${escape(t('Your wallets, stakes, NFTs and rewards in one place.'))}`,
    )
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
function finish(html: string, config: Config, screen: Screens[string] | undefined, withTerms: boolean): string {
  const languages = languagesOf(config)
    .offered.map(offeredOf)
    .map((one) => ({ ...one, address: addressOfGroup(one.address, screen?.group ?? 'arrival') }))
  const values = {
    'api-base-url': config.apiBaseUrl,
    'invoice-base-url': config.invoiceBaseUrl,
    'brand-name': config.brand.name,
    'token-symbol': config.tokenSymbol,
    'allowed-email-domains': config.allowedEmailDomains.join(','),
    sandbox: config.sandbox ? 'on' : 'off',
    'usd-on-chain': config.chain?.usd === undefined ? 'off' : 'on',
    // The sign-up page has the checkbox before it has read the terms, so that the button does not move.
    ...(withTerms ? { terms: 'on' } : {}),
    // Pages choose a language before their first text, without a call.
    ...(languages.length === 0 ? {} : { languages: JSON.stringify(languages) }),
    ...(screen?.guard === 'member' ? { 'screen-files': screen.files.join(' ') } : {}),
  }
  const tags = Object.entries(values).map(([name, content]) => `<meta name="${name}" content="${escape(content)}">`)
  if (screen?.guard === 'public') tags.push(...screen.files.map((file) => `<link rel="modulepreload" crossorigin href="${escape(file)}">`))
  return brandHead(html, config.brand)
    .replaceAll(BRAND, () => escape(config.brand.name))
    .replace(BUILT_TITLE, () => `<title>${escape(config.brand.name)}</title>`)
    .replace('</head>', () => `${tags.join('')}</head>`)
}
