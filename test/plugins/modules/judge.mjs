export function mayEnter({ value, to, isLocal }) {
  if (!isLocal) throw new Error('not of a client')
  if (value === '0x1') return 'one wei is too little'
  if (value === '0x2') return false
  if (value === '0x3') throw new TypeError('three')
  if (value === '0x4') return { yes: true }
  if (value === '0x5') return undefined
  if (value === '0x6') return new Promise((resolve) => setTimeout(resolve, 20, true))
  return to !== null
}
