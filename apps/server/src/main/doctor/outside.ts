import { resolve4 } from 'node:dns/promises'
import { connect } from 'node:tls'
import { checkMailServer } from '../../gateways/mailer/index.ts'
import type { Config } from '../../platform/config.ts'
import { VERSION } from '../../platform/release.ts'
import type { Ports } from '../ports.ts'
import { about, type Finding, looked } from './finding.ts'

/** Days before the end of a certificate that somebody should look. */
const CERTIFICATE_DAYS = 14
/** Addresses that only a private network reaches. */
const PRIVATE = /^(10\.|127\.|169\.254\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/

/** Mail, payment provider and the public address, asked at the same time. */
export async function outsideFindings(config: Config, ports: Ports): Promise<Finding[]> {
  const found = await Promise.all([
    looked('mail', 'correct SMTP_URL; look at the mail server', () => mailFindings(config)),
    looked('provider', 'correct PAYMENT_PROVIDER_URL and PAYMENT_PROVIDER_KEY (docs/provider.md)', () => providerFindings(ports)),
    looked('address', 'look at DNS, the proxy and the API: `systemctl status tizara-api`', () => addressFindings(config)),
    certificateFindings(config),
  ])
  return found.flat()
}

async function mailFindings(config: Config): Promise<Finding[]> {
  const { good } = about('mail')
  if (config.smtpUrl === undefined) return [good('mails are written to files: play money')]
  await checkMailServer(config.smtpUrl)
  return [good(`the mail server takes us; mails come from ${config.mailFrom}`)]
}

/** The provider knows no payment 0: what counts is that it let us ask. */
async function providerFindings({ deposits }: Ports): Promise<Finding[]> {
  const { good, bad } = about('provider')
  try {
    await deposits.provider.getPayment('0')
  } catch (error) {
    const status = error instanceof Error ? /answered (\d+)$/.exec(error.message)?.[1] : undefined
    if (status === '401' || status === '403') return [bad('refuses our key', 'correct PAYMENT_PROVIDER_KEY')]
    if (status !== '400' && status !== '422') throw error
  }
  return [good(`answers with our key; notices go to ${deposits.noticeUrl}`)]
}

/** As the provider and members see us: the answer has to be of this version, through the proxy. */
async function addressFindings(config: Config): Promise<Finding[]> {
  const { good, warning, bad } = about('address')
  const ready = await fetch(`${config.publicUrl}/health/ready`, { signal: AbortSignal.timeout(5_000) })
  const answer = (await ready.json()) as { status?: string; version?: string }
  if (!ready.ok) return [bad(`${config.publicUrl} is not ready`, 'look at the log of the API')]
  const findings: Finding[] = []
  if (answer.version !== VERSION)
    findings.push(warning(`${config.publicUrl} answers as version ${answer.version ?? 'unknown'}, this is ${VERSION}`, 'restart the API'))
  const notice = await fetch(`${config.publicUrl}/api/v1/pay/notice`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(5_000),
  })
  if (notice.status >= 500 || notice.status === 404 || !(await notice.text()).includes('"success":false'))
    findings.push(
      bad(`notices of the provider do not arrive: POST /api/v1/pay/notice answers ${notice.status}`, 'let the proxy pass every path on'),
    )
  const host = new URL(config.publicUrl).hostname
  const addresses = await resolve4(host).catch(() => [])
  if (config.mode === 'production' && addresses.some((address) => PRIVATE.test(address)))
    findings.push(warning(`${host} has a private address: the provider cannot reach it from outside`, 'correct the DNS record'))
  return findings.length > 0 ? findings : [good(`${config.publicUrl} answers, as far as one can tell from here`)]
}

async function certificateFindings(config: Config): Promise<Finding[]> {
  const { good, warning } = about('certificate')
  const { protocol, hostname, port } = new URL(config.publicUrl)
  if (protocol !== 'https:') return []
  return looked('certificate', 'renew it; look at the proxy', async () => {
    const end = await new Promise<string>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port === '' ? 443 : port), servername: hostname }, () => {
        resolve(socket.getPeerCertificate().valid_to)
        socket.destroy()
      })
      socket.once('error', reject)
    })
    const days = Math.floor((Date.parse(end) - Date.now()) / 86_400_000)
    return [days < CERTIFICATE_DAYS ? warning(`ends in ${days} days`, 'renew it; look at the proxy') : good(`holds for ${days} days`)]
  })
}
