import { present } from '../config/setting.ts'

/**
 * Fault points: named places at which a drill can end the process like a power failure (FAULT_POINT, outside production only). `name` ends
 * the process at the first pass, `name:n` at the n-th.
 */
const production = present(process.env['NODE_ENV']) === 'production'
const [target, count = '1'] = ((production ? undefined : present(process.env['FAULT_POINT'])) ?? '').split(':')
let left = Number(count)

export function faultPoint(name: string): void {
  if (name !== target) return
  left -= 1
  if (left <= 0) process.kill(process.pid, 'SIGKILL')
}
