import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '../platform/config.ts'
import { contentSecurityPolicy } from './security-headers.ts'

const DIST = fileURLToPath(new URL('../../../web/dist/', import.meta.url))

interface Pages {
  /** The prerendered sign-in page, for `/` and `/auth/signin`. */
  signIn: string
  /** The empty shell, for every other path. */
  shell: string
  policy: string
}

/**
 * Serves the built web app: hashed assets for ever, pages with the strict policy, and the shell for every path that is
 * not a file, so that the app's own router decides (RT-58).
 * @param app the app
 * @param config its addresses and names go into the pages' meta tags
 * @returns false when the web app was not built
 */
export async function addWebFiles(app: FastifyInstance, config: Config): Promise<boolean> {
  if (!existsSync(path.join(DIST, 'index.html'))) return false
  const pages = readPages(config)
  await app.register(fastifyStatic, {
    root: DIST,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['**/*.html', '**/*.json', '**/*.br', '**/*.gz', '**/.vite/**'],
    setHeaders: (response, file) => {
      response.header(
        'Cache-Control',
        file.includes(`${path.sep}assets${path.sep}`) ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      )
    },
  })
  const send = (reply: FastifyReply, html: string) =>
    reply.type('text/html; charset=utf-8').header('Content-Security-Policy', pages.policy).header('Cache-Control', 'no-cache').send(html)
  app.get('/', (_, reply) => send(reply, pages.signIn))
  app.get('/auth/signin', (_, reply) => send(reply, pages.signIn))
  app.get('/*', (request, reply) => {
    const isPage = !/^\/(api|invoice-api|assets|health|metrics|sandbox)(\/|$|\?)/.test(request.url)
    return isPage ? send(reply, pages.shell) : reply.callNotFound()
  })
  return true
}

function readPages(config: Config): Pages {
  const read = (name: string) => readFileSync(path.join(DIST, name), 'utf8')
  const hashes = existsSync(path.join(DIST, 'csp.json')) ? (JSON.parse(read('csp.json')) as { script?: string[]; style?: string[] }) : {}
  const signIn = read('index.html')
  return {
    signIn: withMeta(signIn, config),
    shell: withMeta(existsSync(path.join(DIST, 'spa.html')) ? read('spa.html') : signIn, config),
    policy: contentSecurityPolicy(config, { script: hashes.script ?? [], style: hashes.style ?? [] }),
  }
}

const escape = (text: string) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;')

/** Puts the running configuration where the app reads it before its first call; inline code is not allowed. */
function withMeta(html: string, config: Config): string {
  const values = {
    'api-base-url': config.apiBaseUrl,
    'invoice-base-url': config.invoiceBaseUrl,
    'brand-name': config.brandName,
    'token-symbol': config.tokenSymbol,
    'allowed-email-domains': config.allowedEmailDomains.join(','),
    sandbox: config.sandbox ? 'on' : 'off',
  }
  const tags = Object.entries(values).map(([name, content]) => `<meta name="${name}" content="${escape(content)}">`)
  return html.replace('</head>', `${tags.join('')}</head>`)
}
