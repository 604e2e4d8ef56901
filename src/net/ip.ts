import { isIPv4, isIPv6 } from 'node:net'

/** Returns the 4 or 16 bytes of an address; empty if it is invalid. */
export function ipToBytes(ip: string): Uint8Array {
  if (isIPv4(ip)) return Uint8Array.from(ip.split('.'), Number)
  if (!isIPv6(ip)) return new Uint8Array(0)
  const [head, tail] = withoutDots(ip).split('::')
  const words = (part: string | undefined) => (part ? part.split(':').map((word) => Number.parseInt(word, 16)) : [])
  const [front, back] = [words(head), words(tail)]
  const all = [...front, ...new Array<number>(8 - front.length - back.length).fill(0), ...back]
  return Uint8Array.from(all.flatMap((word) => [word >> 8, word & 0xff]))
}

/** Formats 4 or 16 bytes; an IPv4-mapped IPv6 address becomes an IPv4 address. */
export function bytesToIp(bytes: Uint8Array): string | undefined {
  if (bytes.length === 4) return bytes.join('.')
  if (bytes.length !== 16) return undefined
  if (bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff)
    return bytes.subarray(12).join('.')
  const words = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i]! << 8) | bytes[2 * i + 1]!).toString(16))
  return new URL(`http://[${words.join(':')}]`).hostname.slice(1, -1)
}

/** Whether the address is a loopback address. */
export function isLoopback(ip: string): boolean {
  return ip.startsWith('127.') || ip === '::1'
}

/** Whether an IPv4 address is loopback, private or link-local. */
export function isPrivateIp(ip: string): boolean {
  if (!isIPv4(ip)) return false
  const [a, b] = ipToBytes(ip) as unknown as [number, number]
  return a === 127 || a === 10 || (a === 172 && b >> 4 === 1) || (a === 192 && b === 168) || (a === 169 && b === 254)
}

/** Whether an address can be a node's: not unspecified, multicast or broadcast. */
export function isUsableIp(ip: string): boolean {
  const bytes = ipToBytes(ip)
  if (bytes.length === 0 || bytes.every((byte) => byte === 0)) return false
  return bytes.length === 4 ? bytes[0]! < 224 : bytes[0] !== 0xff
}

/** Converts the dotted ending of an IPv6 address to hexadecimal. */
function withoutDots(ip: string): string {
  return ip.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) => {
    const word = (high: string, low: string) => (Number(high) * 256 + Number(low)).toString(16)
    return `${word(a, b)}:${word(c, d)}`
  })
}
