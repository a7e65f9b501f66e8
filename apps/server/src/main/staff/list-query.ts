import { listQuery as schema, type ListQuery } from '@tizara/contract'
import * as v from 'valibot'
import { BadUsage, type StaffOptions } from './arguments.ts'

/** The page that a list command asks for. */
export function listQuery(options: StaffOptions): ListQuery {
  const read = v.safeParse(schema, { page: options.page ?? '1' })
  if (!read.success) throw new BadUsage('--page takes a number from 1.')
  return read.output
}
