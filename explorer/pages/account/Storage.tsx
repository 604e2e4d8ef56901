import { useState } from 'preact/hooks'
import { type Hex, hexToBigInt, hexToString, trim } from 'viem'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { toQuantity } from '../../format/quantity.ts'
import { Card } from '../../parts/Card.tsx'
import { Failed } from '../../parts/Notes.tsx'
import { Table } from '../../parts/Table.tsx'
import { Text } from '../../parts/Text.tsx'

const firstSlots = 8

/** A word of storage as what it may be. */
function readWord(word: Hex): string {
  const number = hexToBigInt(word)
  if (number === 0n) return '0'
  const short = trim(word)
  if (short.length === 42) return `${short} (maybe an address)`
  // Short strings lie in the slot itself: their bytes, and in the last one twice their length.
  const length = Number(number & 0xffn) / 2
  if (Number.isInteger(length) && length > 0 && length < 32) {
    const text = hexToString(`0x${word.slice(2, 2 + length * 2)}`)
    if (/^[\x20-\x7e]+$/.test(text)) return `“${text}”`
  }
  return String(number)
}

/** Reads a slot as a number in decimal or hexadecimal; undefined if it is neither. */
function parseSlot(text: string): bigint | undefined {
  try {
    const slot = text.trim() === '' ? undefined : BigInt(text.trim())
    return slot !== undefined && slot >= 0n && slot < 1n << 256n ? slot : undefined
  } catch {
    return undefined
  }
}

/** Storage slots of a contract at a block: the first ones, and any other by number. */
export function Storage({ address, block }: { address: Hex; block: string }) {
  const { ask, node } = useSite()
  const [text, setText] = useState('')
  const wanted = parseSlot(text)
  const slots = wanted === undefined ? Array.from({ length: firstSlots }, (_, i) => BigInt(i)) : [wanted]
  const { value, error } = useLoad(`storage ${node.path} ${address} ${block} ${slots.join()}`, () =>
    Promise.all(slots.map((slot) => ask<Hex>('eth_getStorageAt', [address, toQuantity(slot), block]))),
  )
  const rows = value?.map((word, i) => ({
    key: String(slots[i]),
    cells: [
      <Text key="slot" value={String(slots[i])} code max={80} />,
      <span key="word" class="mono wrap">
        {word}
      </span>,
      <Text key="read" value={readWord(word)} max={80} />,
    ],
  }))
  return (
    <Card title="Storage">
      <label class="field">
        Slot
        <input
          class="mono"
          placeholder="decimal, or 0x…"
          value={text}
          aria-invalid={text.trim() !== '' && wanted === undefined}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {error ? (
        <Failed error={error} what="The storage" />
      ) : (
        <Table
          label="Storage"
          columns={[{ title: 'Slot' }, { title: 'Word' }, { title: 'Read as' }]}
          rows={rows}
          expected={slots.length}
        />
      )}
    </Card>
  )
}
