const ethernetHeader = 14
const ipv4 = 0x0800
/** Where TCP and UDP have their checksum. */
const fieldOf = new Map([
  [6, 16],
  [17, 6],
])

/** Ones' complement sum of 16-bit words. */
function sumOf(bytes: Uint8Array, start: number, end: number): number {
  let sum = 0
  for (let i = start; i < end; i += 2) sum += (bytes[i]! << 8) | (i + 1 < end ? bytes[i + 1]! : 0)
  return sum
}

/**
 * Computes the checksum of the TCP segment or UDP datagram in an Ethernet frame. The kernel leaves that to a network card
 * which frames never reach here.
 */
export function fillChecksum(frame: Uint8Array): void {
  if (((frame[12]! << 8) | frame[13]!) !== ipv4) return
  const protocol = frame[ethernetHeader + 9]!
  const field = fieldOf.get(protocol)
  if (field === undefined) return
  const start = ethernetHeader + 4 * (frame[ethernetHeader]! & 15)
  const end = ethernetHeader + ((frame[ethernetHeader + 2]! << 8) | frame[ethernetHeader + 3]!)
  frame[start + field] = 0
  frame[start + field + 1] = 0
  // The addresses and the length belong to it as well.
  const addresses = sumOf(frame, ethernetHeader + 12, ethernetHeader + 20)
  let sum = addresses + protocol + (end - start) + sumOf(frame, start, end)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  const checksum = ~sum & 0xffff || 0xffff
  frame[start + field] = checksum >> 8
  frame[start + field + 1] = checksum & 0xff
}
