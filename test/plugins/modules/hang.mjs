export function mayEnter({ value }) {
  if (value === '0x1') for (;;);
  if (value === '0x2') return new Promise(() => {})
  if (value === '0x3') process.exit(1)
  if (value === '0x4')
    setTimeout(() => {
      throw new Error('later')
    })
  return true
}
export function onBlock({ number }) {
  console.log(`block ${number}`)
  if (number === 3) for (;;);
}
