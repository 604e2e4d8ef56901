import type { Hex } from 'viem'
import { useName } from '../data/names.ts'
import { checksummed } from '../format/checksummed.ts'
import { shorten } from '../format/shorten.ts'
import { Copy } from './Copy.tsx'
import { Text } from './Text.tsx'

interface LinkOptions {
  /** Shows all of it, where there is room. */
  readonly full?: boolean | undefined
  readonly copy?: boolean | undefined
}

function HexLink({ route, hex, what, full, copy = true }: LinkOptions & { route: string; hex: string; what: string }) {
  return (
    <span class="hex">
      <a href={`#/${route}`} title={hex} data-value={hex} class="mono">
        {full ? <Full hex={hex} /> : shorten(hex)}
      </a>
      {copy && <Copy text={hex} what={what} />}
    </span>
  )
}

/** All digits on wide screens, shortened on narrow ones. */
export function Full({ hex }: { hex: string }) {
  return (
    <>
      <span class="wide">{hex}</span>
      <span class="narrow">{shorten(hex, 10, 8)}</span>
    </>
  )
}

/** An account or contract, by its name if it has one. */
export function AddressLink({ address, full, copy = true }: LinkOptions & { address: Hex }) {
  const known = useName(address)
  const shown = checksummed(address)
  if (!known) return <HexLink route={`address/${shown}`} hex={shown} what="address" full={full} copy={copy} />
  return (
    <span class="hex">
      <a href={`#/address/${shown}`} title={shown} data-value={shown} class={full ? 'mono' : 'named'}>
        {full ? <Full hex={shown} /> : <Text value={known.name} max={28} />}
      </a>
      {full && (
        <span class="tag">
          <Text value={known.name} max={64} />
        </span>
      )}
      {copy && <Copy text={shown} what="address" />}
    </span>
  )
}

/** A transaction. */
export function TxLink({ hash, ...options }: LinkOptions & { hash: Hex }) {
  return <HexLink route={`tx/${hash}`} hex={hash} what="transaction hash" {...options} />
}

/** A block by number. */
export function BlockLink({ number }: { number: number }) {
  return (
    <a href={`#/block/${number}`} data-value={number} class="number">
      {number.toLocaleString('en')}
    </a>
  )
}

/** A hash that leads nowhere. */
export function Hash({ hex, what, full = false }: { hex: string; what: string; full?: boolean }) {
  return (
    <span class="hex">
      <span class="mono" title={hex} data-value={hex}>
        {full ? <Full hex={hex} /> : shorten(hex)}
      </span>
      <Copy text={hex} what={what} />
    </span>
  )
}
