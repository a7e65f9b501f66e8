import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { checkMailServer } from '../gateways/mailer/index.ts'
import type { Config } from '../platform/config/config.ts'
import { VERSION } from '../platform/runtime/release.ts'
import type { Ports } from '../main/ports.ts'
import { findingsFor, type Finding, check } from './finding.ts'
import { providerFindings } from './provider.ts'

/** Warns operators this many days before a certificate expires. */
const CERTIFICATE_DAYS = 14
/** Addresses reachable only from a private network. */
const PRIVATE = /^(10\.|127\.|169\.254\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|::1$|f[cd]|fe[89ab])/i

/** Checks mail, payment provider and public address concurrently. */
export async function externalServiceFindings(config: Config, ports: Ports): Promise<Finding[]> {
  const found = await Promise.all([
    check('mail', 'correct SMTP_URL; check the mail server', () => mailFindings(config)),
    check('provider', 'correct PAYMENT_PROVIDER_URL and PAYMENT_PROVIDER_KEY (docs/provider.md)', () => providerFindings(ports)),
    check('address', 'check DNS, the proxy and the API: `systemctl status tizara-api`', () => addressFindings(config)),
    certificateFindings(config),
  ])
  return found.flat()
}

async function mailFindings(config: Config): Promise<Finding[]> {
  const { good } = findingsFor('mail')
  if (config.smtpUrl === undefined) return [good('mails are written to files in the sandbox')]
  await checkMailServer(config.smtpUrl)
  return [good(`the mail server accepts the login; the sender is ${config.mailFrom}`)]
}

/** Requests the public address through the proxy, like the provider and members. The response must have this version. */
async function addressFindings(config: Config): Promise<Finding[]> {
  const { good, warning, bad } = findingsFor('address')
  const ready = await fetch(`${config.publicUrl}/health/ready`, { redirect: 'error', signal: AbortSignal.timeout(5_000) })
  if (!ready.ok) return [bad(`${config.publicUrl} answers ${ready.status} and is not ready`, 'check the log of the API')]
  // Compares the body, because a proxy may respond in place of the API.
  const answer = (await ready.json().catch(() => ({}))) as { version?: string }
  const findings: Finding[] = []
  if (answer.version !== VERSION)
    findings.push(warning(`${config.publicUrl} runs version ${answer.version ?? 'unknown'}, this command is ${VERSION}`, 'restart the API'))
  const notice = await fetch(`${config.publicUrl}/api/v1/pay/notice`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    redirect: 'error',
    signal: AbortSignal.timeout(5_000),
  })
  if (notice.status >= 500 || notice.status === 404 || !(await notice.text()).includes('"success":false'))
    findings.push(
      bad(
        `webhook notices of the payment provider are lost: POST /api/v1/pay/notice answers ${notice.status}`,
        'configure the proxy to forward every path',
      ),
    )
  const host = hostOf(config.publicUrl)
  const addresses = await lookup(host, { all: true }).catch(() => [])
  if (config.mode === 'production' && addresses.some(({ address }) => PRIVATE.test(address)))
    findings.push(warning(`${host} has a private address: the provider cannot reach it from outside`, 'correct the DNS record'))
  return findings.length > 0 ? findings : [good(`${config.publicUrl} answers from this machine`)]
}

/** Host name for lookups: without the brackets of an IPv6 address. */
const hostOf = (url: string) => new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')

async function certificateFindings(config: Config): Promise<Finding[]> {
  const { good, warning } = findingsFor('certificate')
  const { protocol, port } = new URL(config.publicUrl)
  if (protocol !== 'https:') return []
  const host = hostOf(config.publicUrl)
  // An IP address cannot be used as a server name.
  const named = isIP(host) === 0 ? { servername: host } : {}
  return check('certificate', 'renew it; check the proxy', async () => {
    const end = await new Promise<string>((resolve, reject) => {
      const socket = connect({ host, port: Number(port === '' ? 443 : port), ...named }, () => {
        resolve(socket.getPeerCertificate().valid_to)
        socket.destroy()
      })
      socket.once('error', reject).setTimeout(5_000, () => socket.destroy())
    })
    const days = Math.floor((Date.parse(end) - Date.now()) / 86_400_000)
    return [days < CERTIFICATE_DAYS ? warning(`expires in ${days} days`, 'renew it; check the proxy') : good(`is valid for ${days} days`)]
  })
}
