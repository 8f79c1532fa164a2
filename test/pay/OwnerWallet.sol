// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A wallet contract that takes its owner's signature for its own (ERC-1271).
contract OwnerWallet {
    address public owner;

    function setOwner(address value) external {
        owner = value;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return 0xffffffff;
        address signer = ecrecover(digest, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
        return signer != address(0) && signer == owner ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}
