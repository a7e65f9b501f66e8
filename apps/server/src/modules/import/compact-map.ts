import { randomInt } from 'node:crypto'

/** Strings for which the first table has room. */
const FIRST_ROOM = 1 << 12
/** Longest key in bytes of UTF-8. */
const MAX_KEY_BYTES = 1_024

/**
 * Maps strings to whole numbers from 0 to 2,147,483,647 in typed arrays. A key needs its text in UTF-8 and 16 bytes, a fifth of what a `Map`
 * needs, and no work of the garbage collector. Keys cannot be changed or deleted.
 */
export class CompactMap {
  /** Texts of all keys, one after the other. */
  #texts = Buffer.alloc(FIRST_ROOM * 16)
  /** End of each key in `#texts`, and its value, in the order in which the keys were added. */
  #ends = new Uint32Array(FIRST_ROOM)
  #values = new Int32Array(FIRST_ROOM)
  /** Hash table of keys with linear probing, at most half full: the number of the key from 1, or 0. */
  #slots = new Uint32Array(2 * FIRST_ROOM)
  #size = 0
  /** Differs in each process, so that nobody can choose keys that share a slot. */
  readonly #seed = randomInt(2 ** 32)
  readonly #key = Buffer.alloc(MAX_KEY_BYTES)

  /** Returns the value of a key, or undefined. */
  get(key: string): number | undefined {
    const slot = this.#find(this.#write(key))
    return this.#valueAt(slot)
  }

  /** Adds a key with its value. Returns the value that the key has already, or undefined if it was added. */
  add(key: string, value: number): number | undefined {
    const length = this.#write(key)
    const slot = this.#find(length)
    const known = this.#valueAt(slot)
    if (known !== undefined) return known
    const start = this.#endOf(this.#size)
    if (start + length > this.#texts.length) this.#texts = Buffer.concat([this.#texts], 2 * this.#texts.length)
    this.#key.copy(this.#texts, start, 0, length)
    this.#ends[this.#size] = start + length
    this.#values[this.#size] = value
    this.#size += 1
    this.#slots[slot] = this.#size
    if (this.#size === this.#ends.length) this.#grow()
    return undefined
  }

  #valueAt(slot: number): number | undefined {
    const number = this.#slots[slot] ?? 0
    return number === 0 ? undefined : this.#values[number - 1]
  }

  /** End of the first keys in `#texts`. */
  #endOf(keys: number): number {
    return keys === 0 ? 0 : (this.#ends[keys - 1] ?? 0)
  }

  /** Writes a key into the buffer. Returns its length in bytes. @throws Error if the key is too long */
  #write(key: string): number {
    const length = Buffer.byteLength(key)
    if (length > MAX_KEY_BYTES) throw new Error(`the key has ${length} bytes, more than ${MAX_KEY_BYTES}`)
    return this.#key.write(key)
  }

  /** Returns the slot of the key in the buffer, or the free slot where it belongs. */
  #find(length: number): number {
    const mask = this.#slots.length - 1
    for (let slot = this.#hash(this.#key, 0, length) & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot] ?? 0
      if (number === 0) return slot
      const [start, end] = [this.#endOf(number - 1), this.#endOf(number)]
      if (end - start === length && this.#key.compare(this.#texts, start, end, 0, length) === 0) return slot
    }
  }

  /** Hash of bytes (FNV-1a with a seed, and a last mix, because the lowest bits select the slot). */
  #hash(bytes: Buffer, start: number, end: number): number {
    let hash = this.#seed
    for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193)
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    return hash ^ (hash >>> 12)
  }

  /** Doubles the room. */
  #grow(): void {
    const [ends, values] = [this.#ends, this.#values]
    this.#ends = new Uint32Array(2 * ends.length)
    this.#ends.set(ends)
    this.#values = new Int32Array(2 * values.length)
    this.#values.set(values)
    this.#slots = new Uint32Array(2 * this.#slots.length)
    const mask = this.#slots.length - 1
    for (let number = 1; number <= this.#size; number += 1) {
      let slot = this.#hash(this.#texts, this.#endOf(number - 1), this.#endOf(number)) & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = number
    }
  }
}
