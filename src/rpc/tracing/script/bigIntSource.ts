/**
 * JavaScript that makes `bigInt`, the numbers that geth gives its tracers: those of Peter Olson's BigInteger.js, with its
 * names of methods. Of the library itself nothing is needed: the interpreter has BigInt, and to evaluate the library takes
 * longer than most traces.
 */
export const bigIntSource = String.raw`
(function () {
  'use strict'
  const digits = '0123456789abcdefghijklmnopqrstuvwxyz'
  const magnitude = (n) => (n < 0n ? -n : n)
  const invalid = (v) => new Error('Invalid integer: ' + v)

  function ofDecimal(text) {
    const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:e\+?(\d+))?$/i.exec(text.trim())
    if (!parts) return BigInt(text)
    const [, sign, whole, fraction = '', exponent = '0'] = parts
    if (fraction.length > Number(exponent)) throw invalid(text)
    const n = BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length)
    return sign === '-' ? -n : n
  }

  function ofBase(text, base) {
    let n = 0n
    const isNegative = text[0] === '-'
    for (const character of (isNegative ? text.slice(1) : text).toLowerCase()) {
      const digit = digits.indexOf(character)
      if (digit < 0 || BigInt(digit) >= base) throw new Error(character + ' is not a valid digit in base ' + base + '.')
      n = n * base + BigInt(digit)
    }
    return isNegative ? -n : n
  }

  function native(v) {
    if (v instanceof Integer) return v.value
    if (typeof v === 'bigint') return v
    if (typeof v === 'number') {
      if (!Number.isInteger(v)) throw new Error(v + ' is not an integer.')
      return BigInt(v)
    }
    try {
      return ofDecimal(String(v))
    } catch {
      throw invalid(v)
    }
  }

  class Integer {
    constructor(value) {
      this.value = value
    }
    get sign() {
      return this.value < 0n
    }
    get isSmall() {
      return magnitude(this.value) <= 9007199254740991n
    }
    add(v) {
      return new Integer(this.value + native(v))
    }
    subtract(v) {
      return new Integer(this.value - native(v))
    }
    multiply(v) {
      return new Integer(this.value * native(v))
    }
    divide(v) {
      const by = native(v)
      if (by === 0n) throw new Error('Cannot divide by zero')
      return new Integer(this.value / by)
    }
    mod(v) {
      const by = native(v)
      if (by === 0n) throw new Error('Cannot divide by zero')
      return new Integer(this.value % by)
    }
    divmod(v) {
      return { quotient: this.divide(v), remainder: this.mod(v) }
    }
    pow(v) {
      const exponent = native(v)
      if (exponent < 0n) return new Integer(this.value === 1n ? 1n : this.value === -1n ? (exponent % 2n ? -1n : 1n) : 0n)
      return new Integer(this.value ** exponent)
    }
    modPow(v, m) {
      const by = native(m)
      if (by === 0n) throw new Error('Cannot take modPow with modulus 0')
      let [result, base, exponent] = [1n, this.value % by, native(v)]
      if (exponent < 0n) return new Integer(base).modInv(m).modPow(-exponent, m)
      for (; exponent > 0n; exponent >>= 1n) {
        if (exponent & 1n) result = (result * base) % by
        base = (base * base) % by
      }
      return new Integer(result % by)
    }
    modInv(v) {
      const by = native(v)
      let [t, next, r, left] = [0n, 1n, by, magnitude(this.value)]
      while (left !== 0n) {
        const q = r / left
        ;[t, next] = [next, t - q * next]
        ;[r, left] = [left, r - q * left]
      }
      if (r !== 1n) throw new Error(this.toString() + ' and ' + by + ' are not co-prime')
      if (t < 0n) t += by
      return new Integer(this.value < 0n ? -t : t)
    }
    square() {
      return new Integer(this.value * this.value)
    }
    negate() {
      return new Integer(-this.value)
    }
    abs() {
      return new Integer(magnitude(this.value))
    }
    next() {
      return new Integer(this.value + 1n)
    }
    prev() {
      return new Integer(this.value - 1n)
    }
    compare(v) {
      if (v === Infinity) return -1
      if (v === -Infinity) return 1
      const other = native(v)
      return this.value === other ? 0 : this.value > other ? 1 : -1
    }
    compareAbs(v) {
      return this.abs().compare(v === Infinity || v === -Infinity ? Infinity : magnitude(native(v)))
    }
    equals(v) {
      return this.compare(v) === 0
    }
    notEquals(v) {
      return this.compare(v) !== 0
    }
    greater(v) {
      return this.compare(v) > 0
    }
    lesser(v) {
      return this.compare(v) < 0
    }
    greaterOrEquals(v) {
      return this.compare(v) >= 0
    }
    lesserOrEquals(v) {
      return this.compare(v) <= 0
    }
    isZero() {
      return this.value === 0n
    }
    isUnit() {
      return magnitude(this.value) === 1n
    }
    isPositive() {
      return this.value > 0n
    }
    isNegative() {
      return this.value < 0n
    }
    isEven() {
      return this.value % 2n === 0n
    }
    isOdd() {
      return this.value % 2n !== 0n
    }
    isDivisibleBy(v) {
      const by = native(v)
      return by !== 0n && this.value % by === 0n
    }
    isPrime() {
      const n = magnitude(this.value)
      if (n < 2n) return false
      for (const p of [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n]) if (n % p === 0n) return n === p
      let [odd, twos] = [n - 1n, 0]
      for (; odd % 2n === 0n; odd /= 2n) twos++
      for (const base of [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n]) {
        let x = new Integer(base).modPow(odd, n).value
        if (x === 1n || x === n - 1n) continue
        let i = 1
        for (; i < twos && x !== n - 1n; i++) x = (x * x) % n
        if (x !== n - 1n) return false
      }
      return true
    }
    isProbablePrime() {
      return this.isPrime()
    }
    shiftLeft(v) {
      return new Integer(this.value << native(v))
    }
    shiftRight(v) {
      return new Integer(this.value >> native(v))
    }
    and(v) {
      return new Integer(this.value & native(v))
    }
    or(v) {
      return new Integer(this.value | native(v))
    }
    xor(v) {
      return new Integer(this.value ^ native(v))
    }
    not() {
      return new Integer(~this.value)
    }
    bitLength() {
      const n = this.value < 0n ? -this.value - 1n : this.value
      return new Integer(n === 0n ? 0n : BigInt(n.toString(2).length))
    }
    toArray(radix) {
      const base = radix === undefined ? 10n : native(radix)
      const value = []
      for (let n = magnitude(this.value); n > 0n; n /= base) value.unshift(Number(n % base))
      return { value: value.length > 0 ? value : [0], isNegative: this.value < 0n }
    }
    toString(radix) {
      return this.value.toString(radix === undefined ? 10 : Number(radix))
    }
    toJSON() {
      return this.value.toString()
    }
    valueOf() {
      return Number(this.value)
    }
    toJSNumber() {
      return Number(this.value)
    }
  }

  const others = {
    add: ['plus'],
    subtract: ['minus'],
    multiply: ['times'],
    divide: ['over'],
    mod: ['remainder'],
    compare: ['compareTo'],
    equals: ['eq'],
    notEquals: ['neq'],
    greater: ['gt'],
    lesser: ['lt'],
    greaterOrEquals: ['geq'],
    lesserOrEquals: ['leq'],
  }
  for (const [name, aliases] of Object.entries(others))
    for (const alias of aliases) Integer.prototype[alias] = Integer.prototype[name]

  function bigInt(v, radix) {
    if (v === undefined) return new Integer(0n)
    if (radix === undefined || Number(radix) === 10) return new Integer(native(v))
    return new Integer(ofBase(String(v), native(radix)))
  }
  const gcd = (a, b) => {
    let [x, y] = [magnitude(native(a)), magnitude(native(b))]
    while (y !== 0n) [x, y] = [y, x % y]
    return new Integer(x)
  }
  Object.assign(bigInt, {
    zero: new Integer(0n),
    one: new Integer(1n),
    minusOne: new Integer(-1n),
    max: (a, b) => (native(a) >= native(b) ? new Integer(native(a)) : new Integer(native(b))),
    min: (a, b) => (native(a) <= native(b) ? new Integer(native(a)) : new Integer(native(b))),
    gcd,
    lcm: (a, b) => new Integer(magnitude(native(a)) / gcd(a, b).value * magnitude(native(b))),
    isInstance: (v) => v instanceof Integer,
    fromArray: (values, base, isNegative) => {
      const by = base === undefined ? 10n : native(base)
      const n = values.reduce((sum, digit) => sum * by + native(digit), 0n)
      return new Integer(isNegative ? -n : n)
    },
    randBetween: (a, b) => {
      const [low, high] = native(a) <= native(b) ? [native(a), native(b)] : [native(b), native(a)]
      let n = 0n
      for (let span = high - low; span > 0n; span >>= 30n) n = (n << 30n) | BigInt(Math.floor(Math.random() * 2 ** 30))
      return new Integer(low + n % (high - low + 1n))
    },
  })
  bigInt.ofWord = (n) => new Integer(n)
  return bigInt
})()
`
