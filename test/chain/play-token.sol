// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// The token of a play chain: 18 decimals, everything with whoever deploys it.
contract PlayToken is ERC20 {
    address public immutable getOwner = msg.sender;

    constructor() ERC20("Play coin", "PLAY") {
        _mint(msg.sender, 1e9 * 1e18);
    }

    /// Several transfers in one transaction, as wallets that pay many people make them.
    function transferMany(address[] calldata to, uint256[] calldata amounts) external {
        for (uint256 i = 0; i < to.length; i++) _transfer(msg.sender, to[i], amounts[i]);
    }
}
