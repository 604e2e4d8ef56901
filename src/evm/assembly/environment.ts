// Opcodes about accounts, code and blocks that need more than a copy.
import { accountOf, isEmpty, touchSurcharge } from './accounts';
import { codeOf } from './codes';
import { returnAt, returnLength } from './frames';
import { within } from './held';
import { hostBlockHash } from './host';
import { A_BALANCE, A_CODE_HASH, C_BYTES, C_LENGTH, E_NUMBER, HALT_RETURN_DATA_BOUNDS, S_WARM_ACCESS } from './layout';
import { copyIn } from './memory';
import { charge, ENVIRONMENT, price } from './schedule';
import { clear, copy, set, swap, upper } from './word';

/** BALANCE: replaces the address by the balance. */
export function balanceOf(at: usize, gas: i64): i64 {
  const account = accountOf(at);
  gas = within(charge(gas, touchSurcharge(account, price(S_WARM_ACCESS))));
  if (gas >= 0) copy(at, account + A_BALANCE);
  return gas;
}

/** EXTCODESIZE: replaces the address by the size. */
export function codeSizeOf(at: usize, gas: i64): i64 {
  const account = accountOf(at);
  gas = within(charge(gas, touchSurcharge(account, price(S_WARM_ACCESS))));
  if (gas >= 0) set(at, u64(load<u32>(codeOf(account), C_LENGTH)));
  return gas;
}

/** EXTCODEHASH: replaces the address by the hash; 0 if the account does not exist. */
export function codeHashOf(at: usize, gas: i64): i64 {
  const account = accountOf(at);
  gas = within(charge(gas, touchSurcharge(account, price(S_WARM_ACCESS))));
  if (gas < 0) return gas;
  if (isEmpty(account)) clear(at);
  else swap(at, account + A_CODE_HASH);
  return gas;
}

/** EXTCODECOPY: length, offset in the code, offset in memory, address, from the bottom. */
export function copyCodeOf(args: usize, gas: i64): i64 {
  const account = accountOf(args + 96);
  const surcharge = touchSurcharge(account, price(S_WARM_ACCESS));
  const code = codeOf(account);
  return within(copyIn(args + 64, args + 32, args, code + C_BYTES, load<u32>(code, C_LENGTH), surcharge, gas));
}

/** RETURNDATACOPY: unlike other copies it fails beyond the end. */
export function copyReturnData(args: usize, gas: i64): i64 {
  const offset = load<u64>(args, 32), length = load<u64>(args);
  if ((upper(args + 32) | upper(args)) != 0 || offset + length < offset || offset + length > u64(returnLength)) {
    return -HALT_RETURN_DATA_BOUNDS;
  }
  return copyIn(args + 64, args + 32, args, returnAt, returnLength, 0, gas);
}

/** BLOCKHASH: replaces the number by the hash; 0 unless it is one of the last 256 blocks. */
export function blockHash(at: usize): void {
  const number = load<u64>(at), current = load<u64>(ENVIRONMENT, E_NUMBER);
  if (upper(at) != 0 || number >= current || current - number > 256) clear(at);
  else hostBlockHash(number, at);
}
