import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request as plainRequest } from 'node:http'
import { createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** Mail server that stores received emails. */
export interface MailServer {
  port: number
  /** Waits for the newest email to an address and returns its link token. */
  tokenFor(address: string): Promise<string>
  /** Waits for the newest email to an address and returns its code. */
  codeFor(address: string): Promise<string>
  close(): Promise<void>
}

/** Starts a mail server on loopback. */
export async function openMailServer(): Promise<MailServer> {
  const mails: Email[] = []
  const deliver = async (raw: Buffer, done: () => void) => {
    mails.push(await PostalMime.parse(raw))
    done()
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData: (stream, _, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => void deliver(Buffer.concat(chunks), done))
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const inMail = async (address: string, pattern: RegExp): Promise<string> => {
    for (let attempt = 0; attempt < 900; attempt += 1) {
      // Another mail may follow at once, such as the daily one about the audit log.
      const found = mails.filter((mail) => mail.to?.[0]?.address === address).flatMap(({ text = '' }) => pattern.exec(text)?.[1] ?? [])
      const newest = found.at(-1)
      if (newest !== undefined) return decodeURIComponent(newest)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error(`no such mail came to ${address}`)
  }
  return {
    port: (server.server.address() as AddressInfo).port,
    tokenFor: (address) => inMail(address, /[?&]token=([^\s&]+)/),
    codeFor: (address) => inMail(address, /\b(\d{6})\b/),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** External access: TLS proxy in front of the API. */
export interface Outside {
  port: number
  certificate: string
  close(): void | Promise<void>
}

/** Creates a key and certificate for localhost. */
export function selfSigned(folder: string, days = 90): { key: string; certificate: string } {
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', String(days), ...subject, '-keyout', key, '-out', certificate],
    { stdio: 'ignore' },
  )
  return { key, certificate }
}

/** Starts a TLS proxy, in place of Caddy or nginx, with a localhost certificate. */
export async function openTlsProxy(port: number, target: number, folder: string): Promise<Outside> {
  const { key, certificate } = selfSigned(folder)
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (incoming, reply) => {
    const headers = { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress, 'x-forwarded-proto': 'https' }
    const onward = plainRequest({ host: '127.0.0.1', port: target, method: incoming.method, path: incoming.url, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(reply)
    })
    onward.on('error', () => reply.writeHead(502).end())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  return {
    port,
    certificate,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/**
 * Calls the API from outside.
 * @returns the envelope's untyped data, or a file's text
 * @throws Error with the response if refused
 */
export function call(
  outside: Outside,
  method: string,
  where: string,
  body?: object,
  token?: string,
): Promise<ReturnType<typeof JSON.parse>> {
  const headers = {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined ? {} : { authorization: token }),
    'idempotency-key': `${Date.now()}-${Math.random()}`,
  }
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: 'localhost', port: outside.port, ca: readFileSync(outside.certificate), method, path: where, headers },
      (answer) => {
        let text = ''
        answer.on('data', (part) => (text += String(part)))
        answer.on('end', () => {
          const json = String(answer.headers['content-type']).includes('json')
          if ((answer.statusCode ?? 500) < 400) resolve(json ? JSON.parse(text).data : text)
          else reject(new Error(`${method} ${where}: ${answer.statusCode} ${text}`))
        })
      },
    )
    sent.once('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
