/** A receiver as a process of its own, which a test may kill: appends each verified webhook to a file before it answers. */
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const [, , port = '', file = '', secret = ''] = process.argv
const webhook = new Webhook(secret)

createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString()
    const id = String(request.headers['webhook-id'])
    webhook.verify(body, request.headers as Record<string, string>)
    const { data, timestamp } = JSON.parse(body) as { data: { id: string }; timestamp: string }
    appendFileSync(file, `${id} ${data.id} ${Date.now() - Date.parse(timestamp)}\n`)
    response.writeHead(204).end()
  })
}).listen(Number(port), '127.0.0.1')
