// A plugin: quoin --plugin=examples/plugin.mjs

/** What a transaction may carry at most, in wei: 100 ether. */
const maxValue = 100n * 10n ** 18n
/** Contracts may be created by this account only; undefined allows everybody. */
const deployer = process.env.DEPLOYER?.toLowerCase()

/** May this transaction enter the pool? true, or why not. */
export function mayEnter({ from, to, value }) {
  if (BigInt(value) > maxValue) return 'more than 100 ether at once'
  if (to === null && deployer !== undefined && from !== deployer) return 'contracts are deployed by operations only'
  return true
}

/** May this peer connect? Here: from the networks that RFC 1918 keeps for private use, and this machine. */
export function mayConnect({ ip }) {
  return /^(10\.|127\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(ip)
}

let seen = 0

/** A block has become the head. */
export function onBlock({ number, hash, transactions }) {
  seen += transactions.length
  console.log(`block ${number} ${hash}: ${transactions.length} transactions, ${seen} since the start`)
}
