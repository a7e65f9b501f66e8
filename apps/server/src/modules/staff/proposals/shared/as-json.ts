import { writeJson } from '../../../../http/server/json.ts'

/** A value as it is stored and shown: JSON, amounts as plain decimals. */
export const asJson = (value: unknown): unknown => JSON.parse(writeJson(value))
